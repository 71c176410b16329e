#pragma once
// The terms that a student asks for, each explained once. The window shows a term's definition where the word
// stands, and the handbook's page "glossary" is made from this table.

#include <string>
#include <string_view>
#include <vector>

namespace emergence::handbook {

struct Term {
    const char* word;               // "context length"
    std::vector<const char*> also;  // other spellings: "context lengths", "n"
    const char* definition;         // at most 25 words
    const char* equation;           // "" if none
    const char* page;               // where the handbook explains it: "in-context-td.md#the-prompt"
    const char* plain = "";         // a word in place of an abbreviation: "direction"
};

/// Sorted by word.
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
