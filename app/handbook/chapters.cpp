#include "app/handbook/chapters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"

namespace emergence::handbook {
namespace {

constexpr size_t kMostBytes = size_t{1} << 22;

}  // namespace

const std::vector<std::string>& chapter_names() {
    static const std::vector<std::string> names = {
        "hello",
        "window",
        "saved-runs",
        "lessons",
        "browser",
        "command-line",
        "python",
        "your-own",
        "quantities",
        "claims",
        "figure-files",
        "files",
        "sweeps",
        "in-context-td",
        "in-context-td-more",
        "bench",
        "worlds-and-losses",
        "softmax-td",
        "regression",
        "policy-improvement",
        "bandits",
        "bandits-more",
        "findings",
        "findings-map",
        "open-question",
        "findings-more",
        "numerics",
        "architecture",
        "adding-an-experiment",
        "questions",
        "settings",
        "coverage",
        "glossary",
    };
    return names;
}

std::filesystem::path handbook_folder(const std::filesystem::path& assets) { return assets / "handbook"; }

std::string read_chapter_text(const std::filesystem::path& assets, const std::string& name) {
    const std::vector<std::string>& names = chapter_names();
    if (std::find(names.begin(), names.end(), name) == names.end())
        throw InputError(fmt::format("The handbook has no chapter '{0}'. Chapters: {1}. To find a word: --search {0}.",
                                     name, fmt::join(names, ", ")));
    const auto bytes = read_file(handbook_folder(assets) / (name + ".md"), kMostBytes);
    return std::string(as_text(bytes));
}

Document read_chapter(const std::filesystem::path& assets, const std::string& name) {
    static ReadOnce<Document> known;
    return known.get({handbook_folder(assets) / (name + ".md")},
                     [&] { return parse_markdown(name, read_chapter_text(assets, name)); });
}

std::vector<Document> read_chapters(const std::filesystem::path& assets) {
    std::vector<Document> chapters;
    for (const std::string& name : chapter_names()) chapters.push_back(read_chapter(assets, name));
    return chapters;
}

}  // namespace emergence::handbook
