// Links of the README, the chapters and the glossary lead somewhere.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "app/handbook/glossary.h"
#include "tests/app/handbook/filled_pages.h"
#include "tests/support/scratch.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;
using testing::Page;

// A folder with pages, read once each.
class LinkCheck {
  public:
    explicit LinkCheck(fs::path root) : root_(std::move(root)) {}

    // "" or what is wrong with a link on `page`, a path below the root.
    std::string fault(const fs::path& page, const std::string& link) {
        if (link.starts_with("https://")) return "";
        if (testing::holds(link, "://") || link.starts_with("/")) return "neither https nor relative";
        const handbook::Target target = handbook::target_of(link);
        const fs::path path = target.file.empty() ? page : (page.parent_path() / target.file).lexically_normal();
        if (*path.begin() == "..") return "leads out of the project";
        if (!fs::exists(root_ / path)) return "no file " + path.string();
        if (target.anchor.empty()) return "";
        if (path.extension() != ".md") return line_fault(path, target.anchor);
        return section_of(document(path), target.anchor) != nullptr
                   ? ""
                   : path.string() + " has no section #" + target.anchor;
    }

    const handbook::Document& document(const fs::path& path) {
        auto found = documents_.find(path);
        if (found == documents_.end())
            found = documents_.emplace(path, handbook::parse_markdown("", testing::slurp(root_ / path))).first;
        return found->second;
    }

  private:
    // A source's anchor is a line, as GitHub has it: "L12".
    std::string line_fault(const fs::path& path, const std::string& anchor) {
        if (path.extension() != ".h" && path.extension() != ".cpp") return "only pages have sections";
        const std::string text = testing::slurp(root_ / path);
        const bool is_line = anchor.size() > 1 && anchor.size() < 7 && anchor[0] == 'L' &&
                             anchor.find_first_not_of("0123456789", 1) == std::string::npos;
        if (is_line && std::stol(anchor.substr(1)) <= std::count(text.begin(), text.end(), '\n')) return "";
        return path.string() + " has no line #" + anchor;
    }

    fs::path root_;
    std::map<fs::path, handbook::Document> documents_;
};

std::vector<std::string> links_in(const handbook::Block& block) {
    std::vector<std::string> links;
    const auto add = [&links](const handbook::Spans& spans) {
        for (const handbook::Span& span : spans)
            if (span.kind == handbook::Span::Kind::link) links.push_back(span.target);
    };
    add(block.spans);
    for (const auto& row : block.rows)
        for (const handbook::Spans& cell : row) add(cell);
    if (block.kind == handbook::Block::Kind::image) links.push_back(block.target);
    return links;
}

}  // namespace

TEST_CASE("links and pictures of the README and the chapters are there") {
    LinkCheck check(testing::source_dir());
    for (const Page& page : testing::handbook_pages())
        for (const handbook::Block& block : document_of(page).blocks)
            for (const std::string& link : links_in(block)) {
                const std::string fault = check.fault(page.name, link);
                CHECK_MESSAGE(fault == "", page.name << ":" << block.line << ": " << link << ": " << fault);
            }
}

TEST_CASE("a path that a chapter names in the text is there") {
    const std::regex named("`((core|app|tests|assets)/[\\w./-]+)`");
    for (const Page& page : testing::handbook_pages()) {
        if (page.name.ends_with("adding-an-experiment.md")) continue;  // names what its reader writes
        for (std::sregex_iterator at(page.text.begin(), page.text.end(), named), end; at != end; ++at)
            CHECK_MESSAGE(fs::exists(testing::source_dir() / (*at)[1].str()), page.name << ": " << (*at)[1].str());
    }
}

TEST_CASE("every term of the glossary names a place in the handbook") {
    LinkCheck check(testing::source_dir());
    for (const handbook::Term& term : handbook::glossary()) {
        const std::string fault = check.fault("assets/handbook/glossary.md", term.page);
        CHECK_MESSAGE(fault == "", std::string(term.word) << ": " << std::string(term.page) << ": " << fault);
    }
}

TEST_CASE("pictures of the handbook are shown somewhere") {
    std::set<std::string> shown;
    for (const Page& page : testing::handbook_pages())
        for (const handbook::Block& block : document_of(page).blocks)
            if (block.kind == handbook::Block::Kind::image) shown.insert(fs::path(block.target).filename().string());
    const fs::path folder = testing::source_dir() / "assets/handbook/pictures";
    if (!fs::exists(folder)) return;
    for (const auto& entry : fs::directory_iterator(folder))
        CHECK_MESSAGE(shown.contains(entry.path().filename().string()), entry.path().filename() << " is on no page");
}

}  // namespace emergence
