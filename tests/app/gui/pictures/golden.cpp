#include "tests/app/gui/pictures/golden.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "app/export/pixel_files.h"
#include "core/base/error.h"
#include "core/files/atomic_write.h"
#include "tests/app/gui/pictures/difference.h"
#include "tests/app/gui/pictures/picture.h"
#include "tests/support/places.h"

namespace emergence::testing {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

bool recording() { return variable("EMERGENCE_GOLDEN_RECORD") == "1"; }

void write_picture(const fs::path& file, const PixelImage& picture) {
    fs::create_directories(file.parent_path());
    write_file(file, std::string_view(png_of(picture, "", "")));
}

void record(const std::string& name, const PixelImage& picture, const std::string& why) {
    write_picture(golden_folder() / (name + ".png"), picture);
    fmt::print("recorded {}: {}\n", name, why);
}

}  // namespace

fs::path golden_folder() { return source_dir() / "tests" / "golden"; }

fs::path differences_folder() {
    const std::string folder = variable("EMERGENCE_GOLDEN_DIFFERENCES");
    return fs::absolute(folder.empty() ? "golden-differences" : folder);
}

std::vector<std::string> names_to_draw(const std::vector<std::string>& names) {
    std::vector<std::string> result;
    if (const std::string only = variable("EMERGENCE_GOLDEN_ONLY"); !only.empty()) {
        std::istringstream words(only);
        for (std::string word; words >> word;) {
            if (std::find(names.begin(), names.end(), word) == names.end())
                throw InputError(fmt::format("EMERGENCE_GOLDEN_ONLY: no preset is called '{}'", word));
            result.push_back(word);
        }
        return result;
    }
    size_t shard = 1;
    size_t shards = 1;
    const std::string text = variable("EMERGENCE_GOLDEN_SHARD");
    if (!text.empty() && (std::sscanf(text.c_str(), "%zu/%zu", &shard, &shards) != 2 || shard < 1 || shard > shards))
        throw InputError(fmt::format("EMERGENCE_GOLDEN_SHARD: '{}' is not like 2/4", text));
    for (size_t i = shard - 1; i < names.size(); i += shards) result.push_back(names[i]);
    return result;
}

std::vector<std::string> extra_pictures(const std::set<std::string>& expected) {
    std::vector<std::string> extra;
    for (const fs::directory_entry& entry : fs::directory_iterator(golden_folder())) {
        const std::string name = entry.path().filename().string();
        if (expected.count(name) != 0) continue;
        if (!recording()) {
            extra.push_back(name);
            continue;
        }
        fs::remove(entry.path());
        fmt::print("removed {}: no preset has this name\n", name);
    }
    return extra;
}

std::string compared(const std::string& label, const PixelImage& old, const PixelImage& now) {
    const PictureDifference difference = difference_of(old, now);
    const fs::path folder = differences_folder() / label;
    std::error_code ignored;
    fs::remove_all(folder, ignored);  // of a run before
    if (difference.reason.empty()) return "";
    write_picture(folder / "old.png", old);
    write_picture(folder / "new.png", now);
    write_picture(folder / "difference.png", marked(now, difference));
    return fmt::format("{}: {}. Look at old.png, new.png and difference.png in {}", label, difference.reason,
                       folder.string());
}

std::vector<std::string> golden_themes(const std::string& preset) {
    std::vector<std::string> themes;
    for (const char* theme : {"dark", "light"})
        if (fs::exists(golden_folder() / (preset + "-" + theme + ".png"))) themes.emplace_back(theme);
    if (themes.empty() && recording() && !variable("EMERGENCE_GOLDEN_ONLY").empty()) themes.emplace_back("light");
    return themes;
}

std::string compared_with_golden(const std::string& name, const PixelImage& picture) {
    const PixelImage now = halved(picture);
    const fs::path file = golden_folder() / (name + ".png");
    if (!fs::exists(file)) {
        record(name, now, "new");
        return "";
    }
    const PixelImage old = read_picture(file);
    if (recording()) {
        const PictureDifference difference = difference_of(old, now);
        if (!difference.reason.empty()) record(name, now, difference.reason);
        return "";
    }
    std::string message = compared(name, old, now);
    if (message.empty()) return "";
    write_picture(differences_folder() / name / "whole.png", picture);
    return message + fmt::format(". If the new picture is meant: sh tests/golden.sh --record {}",
                                 name.substr(0, name.rfind('-')));
}

}  // namespace emergence::testing
