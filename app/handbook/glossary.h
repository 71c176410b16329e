#pragma once
// Holds the terms of the chapter "glossary", each explained once. The window shows a term's definition when a reader
// points at the word.

#include <string>
#include <string_view>
#include <vector>

namespace emergence::handbook {

struct Term {
    std::string word;               // "context length"
    std::vector<std::string> also;  // other spellings, as "context lengths" or "n"
    std::string definition;         // at most 25 words
    std::string equation;           // "" if none
    std::string page;               // the page of the handbook that explains it, as "in-context-td.md#the-prompt"
    std::string plain;              // a word in place of an abbreviation, as "direction"
};

/// Sorted by word; empty without assets.
const std::vector<Term>& glossary();

/// Returns the term that this word names, also by its other spellings, or nullptr. A term written in small letters may
/// begin with a capital, as at the start of a sentence. Others must be written exactly, so "P" is not "p".
const Term* term_of(std::string_view word);

/// A term in a text, from the byte `begin` up to but not including `end`.
struct TermPlace {
    size_t begin;
    size_t end;
    const Term* term;
};
/// Returns the terms that stand in `text` as whole words, from left to right. If several begin at one place, the
/// longest wins.
std::vector<TermPlace> terms_in(std::string_view text);

/// Returns the text with a word in place of each abbreviation that has one: "SS (= IWS)" becomes "sensitivity (=
/// direction)".
std::string plainly(std::string_view text);

}  // namespace emergence::handbook
