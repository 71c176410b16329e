#pragma once
// The terms of the chapter "glossary", each explained once. The window shows the definition when a reader points at the
// word.

#include <string>
#include <string_view>
#include <vector>

namespace emergence::handbook {

struct Term {
    std::string word;               // "context length"
    std::vector<std::string> also;  // other spellings: "context lengths", "n"
    std::string definition;         // at most 25 words
    std::string equation;           // "" if none
    std::string page;               // where the handbook explains it: "in-context-td.md#the-prompt"
    std::string plain;              // a word in place of an abbreviation: "direction"
};

/// Sorted by word; empty without assets.
const std::vector<Term>& glossary();

/// The term that this word names, with its other spellings; nullptr if none. A term written in small letters
/// may begin with a capital, as at the start of a sentence; others are written exactly so: "P" is not "p".
const Term* term_of(std::string_view word);

/// A term in a text: the bytes from `begin` to before `end`.
struct TermPlace {
    size_t begin;
    size_t end;
    const Term* term;
};
/// The terms that stand in `text` as whole words, from left to right; of several at one place the longest.
std::vector<TermPlace> terms_in(std::string_view text);

/// The text with a word in place of each abbreviation that has one: "SS (= IWS)" is "sensitivity (= direction)".
std::string plainly(std::string_view text);

}  // namespace emergence::handbook
