#pragma once
// How deep a text nests, counted before a parser sees it: parsers and trees are recursive, and a stack is small.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace emergence {

/// Counts levels: brackets that are open, and in each what deepens its present item.
class Nesting {
  public:
    void open() { levels_.push_back(0); }
    /// What stood in the bracket lies below what follows it in the same item.
    void close() {
        if (levels_.size() == 1) return;
        const int inside = levels_.back();
        levels_.pop_back();
        levels_.back() += inside;
    }
    /// The present item lies one level deeper: a part of a dotted key, an operation.
    void deepen() { ++levels_.back(); }
    /// The next item in the same bracket begins; outside of brackets `kept` levels stay.
    void next_item(int kept = 0) { levels_.back() = levels_.size() == 1 ? kept : 0; }
    bool in_brackets() const { return levels_.size() > 1; }
    bool too_deep() const;

  private:
    std::vector<int> levels_ = {0};
};

/// Throws InputError, naming `source` and the line, if TOML or JSON nests deeper than kDeepestText levels.
void check_nesting(std::string_view text, const std::string& source);

}  // namespace emergence
