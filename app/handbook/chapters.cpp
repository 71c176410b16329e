#include "app/handbook/chapters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cctype>
#include <iterator>
#include <sstream>

#include "app/handbook/glossary.h"
#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"

namespace emergence::handbook {
namespace {

std::vector<std::string> words_in(const std::string& text) {
    std::istringstream words(text);
    return {std::istream_iterator<std::string>(words), {}};
}

}  // namespace

const std::vector<std::string>& chapter_names() {
    static const std::vector<std::string> names = words_in(
        "hello window lessons saved-runs command-line python your-own in-context-td softmax-td regression "
        "policy-improvement bandits questions glossary "
        // The chapters of the lab book.
        "by-hand findings findings-map star open-question findings-more retired-findings in-context-td-more "
        "worlds-and-losses bandits-more in-context-td-claims softmax-td-claims regression-claims "
        "policy-improvement-claims bandits-claims claims coverage bench settings quantities sweeps figure-files "
        "files browser numerics architecture adding-an-experiment faults changes");
    return names;
}

bool in_lab_book(const std::string& name) {
    static const auto& names = chapter_names();
    const auto at = std::find(names.begin(), names.end(), name);
    return at != names.end() && at > std::find(names.begin(), names.end(), "glossary");
}

std::filesystem::path handbook_folder(const std::filesystem::path& assets) { return assets / "handbook"; }

std::filesystem::path chapter_path(const std::filesystem::path& assets, const std::string& name) {
    return handbook_folder(assets) / (in_lab_book(name) ? "lab" : "") / (name + ".md");
}

Document read_chapter(const std::filesystem::path& assets, const std::string& name) {
    constexpr size_t kMostBytes = size_t{1} << 22;
    static ReadOnce<Document> known;
    const std::vector<std::string>& names = chapter_names();
    if (!contains(names, name))
        throw InputError("The handbook has no chapter '{0}'. Chapters: {1}. To find a word: --search {0}.", name,
                         fmt::join(names, ", "));
    const std::filesystem::path file = chapter_path(assets, name);
    return known.get({file}, [&] { return parse_markdown(name, as_text(read_file(file, kMostBytes))); });
}

std::vector<Document> read_chapters(const std::filesystem::path& assets) {
    std::vector<Document> chapters;
    for (const std::string& name : chapter_names()) chapters.push_back(read_chapter(assets, name));
    return chapters;
}

namespace {

constexpr size_t kExcerptBefore = 30, kExcerptLength = 100;
constexpr int kForHeading = 8, kForWholeWord = 2, kForPhrase = 4, kForTerm = 20;

bool stands_alone(std::string_view text, size_t begin, size_t length) {
    const auto is_letter = [&](size_t i) { return std::isalnum(static_cast<unsigned char>(text[i])) != 0; };
    return (begin == 0 || !is_letter(begin - 1)) && (begin + length >= text.size() || !is_letter(begin + length));
}

bool has_whole_word(std::string_view text, const std::string& word) {
    for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
        if (stands_alone(text, at, word.size())) return true;
    return false;
}

// Cuts between words and never inside a character.
std::string excerpt_of(const std::string& text, size_t found) {
    size_t begin = found > kExcerptBefore ? found - kExcerptBefore : 0;
    if (begin > 0) begin = std::min(text.find_first_of(" \n", begin), found);
    while (begin > 0 && begin < text.size() && continues_character(text[begin])) --begin;
    size_t end = std::min(begin + kExcerptLength, text.size());
    if (end < text.size()) {
        const size_t space = text.find_last_of(" \n", end);
        if (space != std::string::npos && space > found) end = space;
        while (end > begin && continues_character(text[end])) --end;
    }
    std::string excerpt = text.substr(begin, end - begin);
    std::replace(excerpt.begin(), excerpt.end(), '\n', ' ');
    excerpt.erase(0, excerpt.find_first_not_of(' '));
    return (begin > 0 ? "… " : "") + excerpt + (end < text.size() ? " …" : "");
}

class Searcher {
  public:
    explicit Searcher(std::string_view asked)
        : words_(words_in(small_letters(asked))), phrase_(small_letters(asked)), term_(term_of(asked)) {}

    void search(const Document& chapter, std::vector<Hit>& hits) const {
        if (words_.empty()) return;
        const Block* heading = nullptr;
        for (size_t i = 0; i < chapter.blocks.size(); ++i) {
            const Block& block = chapter.blocks[i];
            if (block.kind == Block::Kind::heading) heading = &block;
            const std::string text = text_of(block), small = small_letters(text);
            const std::string above = heading == nullptr ? "" : small_letters(text_of(*heading));
            int score = score_of(small, above, block.kind == Block::Kind::heading);
            if (score == 0) continue;
            // A search for a term shows its definition first.
            const bool defines = chapter.name == "glossary" && term_ != nullptr && block.kind == Block::Kind::table;
            if (defines) score += kForTerm;
            const bool before_text = block.kind == Block::Kind::heading && i + 1 < chapter.blocks.size() &&
                                     chapter.blocks[i + 1].kind != Block::Kind::heading;
            const std::string excerpt = defines       ? std::string(term_->word) + ": " + term_->definition
                                        : before_text ? excerpt_of(text_of(chapter.blocks[i + 1]), 0)
                                                      : excerpt_of(text, first_in(small));
            hits.push_back({chapter.name, i, row_in(block, defines),
                            heading == nullptr ? chapter.title : text_of(*heading),
                            heading == nullptr ? "" : heading->target, excerpt, score});
        }
    }

  private:
    // The row of a table that defines the term, or has all words, or 0 if none does.
    size_t row_in(const Block& block, bool defines) const {
        for (size_t row = 1; row < block.rows.size(); ++row) {
            std::string text;
            for (const Spans& cell : block.rows[row]) text += small_letters(text_of(cell)) + '\n';
            if (defines ? text.starts_with(small_letters(term_->word) + '\n')
                        : all_of(words_, [&](const auto& word) { return text.find(word) != std::string::npos; }))
                return row;
        }
        return 0;
    }
    // The rank of a block, or 0 if it is not a hit.
    int score_of(const std::string& text, const std::string& above, bool is_heading) const {
        int score = 0;
        bool here = false;
        for (const std::string& word : words_) {
            const bool in_text = text.find(word) != std::string::npos;
            if (!in_text && above.find(word) == std::string::npos) return 0;
            here = here || in_text;
            score += 1 + (has_whole_word(text, word) ? kForWholeWord : 0);
        }
        if (!here) return 0;
        if (words_.size() > 1 && text.find(phrase_) != std::string::npos) score += kForPhrase;
        return score + (is_heading ? kForHeading : 0);
    }
    size_t first_in(const std::string& text) const {
        size_t first = text.size();
        for (const std::string& word : words_) first = std::min(first, text.find(word));
        return first;
    }

    std::vector<std::string> words_;
    std::string phrase_;
    const Term* term_;  // null unless the words are a term of the glossary
};

}  // namespace

std::vector<Hit> find(const std::vector<Document>& chapters, std::string_view words) {
    const Searcher searcher(words);
    std::vector<Hit> hits;
    for (const Document& chapter : chapters) searcher.search(chapter, hits);
    std::stable_sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.score > b.score; });
    return hits;
}

}  // namespace emergence::handbook
