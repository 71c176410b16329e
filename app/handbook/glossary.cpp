// Reads the glossary from its chapter, and finds its terms in a text.

#include "app/handbook/glossary.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include "app/handbook/chapters.h"
#include "core/base/text.h"
#include "core/files/folders.h"

namespace emergence::handbook {
namespace {

std::vector<std::string> parts_of(const std::string& text) {
    std::vector<std::string> parts;
    std::istringstream all(text);
    for (std::string part; std::getline(all >> std::ws, part, ';');) parts.push_back(part);
    return parts;
}

// Returns the rows of the chapter's table, or none without assets.
std::vector<Term> terms_of_chapter() try {
    constexpr size_t kColumns = 6;
    std::vector<Term> terms;
    for (const Block& block : read_chapter(assets_folder(), "glossary").blocks) {
        if (block.kind != Block::Kind::table || block.rows.front().size() != kColumns) continue;
        for (auto row = block.rows.begin() + 1; row != block.rows.end(); ++row) {
            const auto cell = [&row](size_t column) { return text_of((*row)[column]); };
            const Spans& link = (*row)[4];
            terms.push_back(
                {cell(0), parts_of(cell(1)), cell(2), cell(3), link.empty() ? "" : link.front().target, cell(5)});
        }
    }
    return terms;
} catch (const std::runtime_error&) {
    return {};
}

// Every byte of a character outside ASCII counts as a letter.
bool is_letter_or_digit(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 128 || std::isalnum(byte) != 0 || c == '_';
}

// Whether a word has more than one letter and all are small. Such a word may begin a sentence.
bool may_be_capitalised(std::string_view word) { return word.size() > 1 && word == small_letters(word); }

// Every spelling, with what it means.
const std::map<std::string, const Term*, std::less<>>& spellings() {
    static const auto table = [] {
        std::map<std::string, const Term*, std::less<>> all;
        const auto add = [&all](const std::string& word, const Term& term) {
            all.emplace(word, &term);
            if (may_be_capitalised(word)) all.emplace(capitalised(word), &term);
        };
        for (const Term& term : glossary()) add(term.word, term);
        for (const Term& term : glossary())
            for (const std::string& other : term.also) add(other, term);
        return all;
    }();
    return table;
}

}  // namespace

const std::vector<Term>& glossary() {
    static const std::vector<Term> terms = terms_of_chapter();
    return terms;
}

const Term* term_of(std::string_view word) {
    const auto found = spellings().find(word);
    return found == spellings().end() ? nullptr : found->second;
}

std::vector<TermPlace> terms_in(std::string_view text) {
    static const size_t longest =
        std::accumulate(spellings().begin(), spellings().end(), size_t{0},
                        [](size_t most, const auto& one) { return std::max(most, one.first.size()); });
    std::vector<TermPlace> places;
    size_t begin = 0;
    while (begin < text.size()) {
        // "SW-LinUCB" is a name of its own.
        const bool joined = begin > 1 && text[begin - 1] == '-' && is_letter_or_digit(text[begin - 2]);
        const bool starts = begin == 0 || (!is_letter_or_digit(text[begin - 1]) && !joined);
        const Term* found = nullptr;
        size_t length = starts ? std::min(longest, text.size() - begin) : 0;
        for (; length > 0; --length) {
            const size_t end = begin + length;
            if (end < text.size() && is_letter_or_digit(text[end]) && is_letter_or_digit(text[end - 1])) continue;
            if ((found = term_of(text.substr(begin, length))) != nullptr) break;
        }
        if (found != nullptr) places.push_back({begin, begin + length, found});
        begin += std::max<size_t>(1, length);
    }
    return places;
}

std::string plainly(std::string_view text) {
    std::string plain;
    size_t done = 0;
    for (const TermPlace& place : terms_in(text)) {
        const std::string_view word = text.substr(place.begin, place.end - place.begin);
        if (word != place.term->word || place.term->plain.empty()) continue;
        plain.append(text.substr(done, place.begin - done)).append(place.term->plain);
        done = place.end;
    }
    return plain.append(text.substr(done));
}

}  // namespace emergence::handbook
