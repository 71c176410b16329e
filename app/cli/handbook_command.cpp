// handbook: the chapters in the terminal, as HTML pages, and a search in them.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <ostream>

#include "app/cli/command.h"
#include "app/cli/json.h"
#include "app/handbook/chapters.h"
#include "app/handbook/html.h"
#include "app/handbook/plain.h"
#include "app/handbook/search.h"
#include "core/base/error.h"

namespace emergence::cli {
namespace {

// A chapter; all as HTML pages; or a search. Without any of these: the list of chapters.
struct HandbookRequest {
    std::string chapter;
    std::optional<std::string> html;  // folder for the pages
    std::vector<std::string> words;   // to search for
    bool json = false;
};

constexpr size_t kMostHits = 20;
constexpr int kNameColumns = 24;

Json chapters_as_json(const std::filesystem::path& assets) {
    Json chapters = Json::array();
    for (const handbook::Document& chapter : handbook::read_chapters(assets))
        chapters.push_back({{"name", chapter.name}, {"title", chapter.title}, {"summary", summary_of(chapter)}});
    return {{"chapters", chapters}};
}

std::string list_of_chapters(const std::filesystem::path& assets, int columns) {
    std::string text = "Chapters (handbook CHAPTER)\n";
    for (const handbook::Document& chapter : handbook::read_chapters(assets))
        text += handbook::wrapped(fmt::format("  {:<{}}{}", chapter.name, kNameColumns - 2, summary_of(chapter)),
                                  columns, kNameColumns) +
                '\n';
    return text;
}

std::vector<handbook::Hit> hits_of(const std::filesystem::path& assets, const std::string& words) {
    std::vector<handbook::Hit> hits = handbook::find(handbook::read_chapters(assets), words);
    if (hits.empty()) throw InputError(fmt::format("The handbook has no place with '{}'. Try fewer words.", words));
    return hits;
}

Json hits_as_json(const std::vector<handbook::Hit>& hits) {
    Json places = Json::array();
    for (const handbook::Hit& hit : hits)
        places.push_back({{"chapter", hit.chapter}, {"section", hit.section}, {"excerpt", hit.excerpt}});
    return {{"places", places}};
}

std::string list_of_hits(const std::vector<handbook::Hit>& hits, int columns) {
    std::string text;
    for (size_t i = 0; i < std::min(hits.size(), kMostHits); ++i)
        text += fmt::format("{}: {}\n{}\n", hits[i].chapter, hits[i].section,
                            handbook::wrapped("    " + hits[i].excerpt, columns, 4));
    if (hits.size() > kMostHits) text += fmt::format("{} more. Add a word.\n", hits.size() - kMostHits);
    return text;
}

int run_handbook(const HandbookRequest& request, const Environment& environment) {
    const std::filesystem::path assets = environment.assets();
    std::string text;
    Json json;
    if (request.html) {
        const std::filesystem::path index = std::filesystem::path(*request.html) / "index.html";
        environment.would("write the handbook's pages into " + *request.html);
        if (environment.dry_run) throw DryRunEnds();
        handbook::write_html(assets, *request.html);
        text = index.string() + '\n';
        json = {{"files", {index.string()}}};
    } else if (!request.words.empty()) {
        const auto hits = hits_of(assets, fmt::format("{}", fmt::join(request.words, " ")));
        text = list_of_hits(hits, environment.columns);
        json = hits_as_json(hits);
    } else if (request.chapter.empty()) {
        text = list_of_chapters(assets, environment.columns);
        json = chapters_as_json(assets);
    } else {
        const handbook::Document chapter = handbook::read_chapter(assets, request.chapter);
        text = handbook::plain_page(chapter, environment.columns);
        json = {{"name", chapter.name}, {"title", chapter.title}, {"text", text}};
    }
    if (request.json)
        print_json(json, environment.out);
    else
        environment.out << text;
    return kDone;
}

}  // namespace

Command handbook_command() {
    return command_of<HandbookRequest>(
        "handbook", "Read the handbook: its chapters, one of them, or a search",
        [](Options& options, HandbookRequest& request) {
            const Option chapter =
                options.text("chapter", "CHAPTER", "Name of the chapter (default: list them)", request.chapter);
            const Option html =
                options.text("--html", "DIR", "Write all chapters as HTML pages into a folder", request.html)
                    .excludes(chapter);
            options.texts("--search", "WORDS", "List the places that contain all these words", request.words)
                .excludes(chapter)
                .excludes(html);
            options.dry_run();
            options.json(request.json);
        },
        run_handbook);
}

}  // namespace emergence::cli
