// The folder of HTML pages: what is written, and what may be replaced.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "app/handbook/chapters.h"
#include "app/handbook/html.h"
#include "core/base/error.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"

namespace emergence::handbook {
namespace {

namespace fs = std::filesystem;

constexpr const char* kListHead = "Files that emergence-cli handbook --html has written here, and may replace:\n";
constexpr size_t kMostListBytes = size_t{1} << 20, kMostPictureBytes = size_t{1} << 26;

// By the name in the folder.
using Files = std::map<std::string, std::string>;

Files files_of(const fs::path& assets) {
    const std::vector<Document> chapters = read_chapters(assets);
    Files files;
    files["index.html"] = html_index(chapters);
    for (const Document& chapter : chapters) {
        files[chapter.name + ".html"] = html_page(chapter, chapters);
        for (const Block& block : chapter.blocks) {
            if (block.kind != Block::Kind::image) continue;
            if (!block.target.starts_with("pictures/") || block.target.find("..") != std::string::npos)
                throw InputError(fmt::format("{}.md:{}: picture '{}'. Pictures are in the folder 'pictures'.",
                                             chapter.name, block.line, block.target));
            const auto bytes = read_file(handbook_folder(assets) / block.target, kMostPictureBytes);
            files[block.target] = as_text(bytes);
        }
    }
    return files;
}

// The names on the folder's list.
std::set<std::string> listed_in(const fs::path& folder) {
    std::set<std::string> names;
    if (!fs::exists(folder / kHtmlList)) return names;
    const auto bytes = read_file(folder / kHtmlList, kMostListBytes);
    std::string_view text = as_text(bytes);
    if (!text.starts_with(kListHead))
        throw InputError(
            fmt::format("{}: not written by 'handbook --html'. Choose another folder.", (folder / kHtmlList).string()));
    text.remove_prefix(std::string_view(kListHead).size());
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        names.emplace(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return names;
}

}  // namespace

void write_html(const fs::path& assets, const fs::path& folder) {
    const Files files = files_of(assets);
    std::set<std::string> names = listed_in(folder);
    for (const auto& [name, bytes] : files)
        if (fs::exists(folder / name) && !names.contains(name))
            throw InputError(fmt::format("{}: a file that 'handbook --html' did not write. Choose another folder.",
                                         (folder / name).string()));
    make_folder(folder);
    make_folder(folder / "pictures");
    std::string list = kListHead;
    for (const auto& [name, bytes] : files) names.insert(name);
    for (const std::string& name : names) list += name + '\n';
    write_file(folder / kHtmlList, std::string_view(list));  // first: an interrupted call may be repeated
    for (const auto& [name, bytes] : files) write_file(folder / name, std::string_view(bytes));
}

}  // namespace emergence::handbook
