// handbook: the chapters in the terminal, as HTML pages, and a search in them.

#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "app/cli/commands.h"
#include "app/handbook/chapters.h"
#include "app/handbook/html.h"
#include "app/handbook/plain.h"
#include "app/handbook/search.h"
#include "core/base/error.h"

namespace emergence::cli {
namespace {

constexpr size_t kMostHits = 20;
constexpr int kNameColumns = 24;

std::string list_of_chapters(const std::filesystem::path& assets, int columns) {
    std::string text = "Chapters (handbook CHAPTER)\n";
    for (const handbook::Document& chapter : handbook::read_chapters(assets))
        text +=
            handbook::wrapped(fmt::format("  {:<{}}{}", chapter.name, kNameColumns - 2, summary_of(chapter)),
                              columns, kNameColumns) +
            '\n';
    return text;
}

std::string list_of_hits(const std::filesystem::path& assets, const std::string& words, int columns) {
    const std::vector<handbook::Hit> hits = handbook::find(handbook::read_chapters(assets), words);
    if (hits.empty())
        throw InputError(fmt::format("The handbook has no place with '{}'. Try fewer words.", words));
    std::string text;
    for (size_t i = 0; i < std::min(hits.size(), kMostHits); ++i)
        text += fmt::format("{}: {}\n{}\n", hits[i].chapter, hits[i].section,
                            handbook::wrapped("    " + hits[i].excerpt, columns, 4));
    if (hits.size() > kMostHits) text += fmt::format("{} more. Add a word.\n", hits.size() - kMostHits);
    return text;
}

}  // namespace

int run_handbook(const HandbookRequest& request, const Environment& environment) {
    const std::filesystem::path assets = environment.assets();
    if (request.html) {
        handbook::write_html(assets, *request.html);
        environment.out << (std::filesystem::path(*request.html) / "index.html").string() << '\n';
    } else if (!request.words.empty()) {
        std::string words;
        for (const std::string& word : request.words) words += (words.empty() ? "" : " ") + word;
        environment.out << list_of_hits(assets, words, environment.columns);
    } else if (request.chapter.empty()) {
        environment.out << list_of_chapters(assets, environment.columns);
    } else {
        environment.out << handbook::plain_page(handbook::read_chapter(assets, request.chapter),
                                                environment.columns);
    }
    return kDone;
}

}  // namespace emergence::cli
