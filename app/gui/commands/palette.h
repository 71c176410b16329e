#pragma once
// The palette (Ctrl + K): type what you want; every command, preset, setting and page of the handbook is there, and the
// number of a quantity in the run that is shown.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/commands/sheet.h"
#include "core/lab/quantity/quantity.h"

namespace emergence {

/// A quantity that is being typed (core/lab/quantity): its number in a run, and how its last word may go on.
struct QuantityLines {
    /// "0.31 (0.27 to 0.36, n = 8)", or the values of the first seeds; "" if the text is no whole quantity.
    std::string answer;
    /// Why a text that begins as a quantity has no number.
    std::string why_not;
    /// The whole text, with its last word completed in one way or another.
    std::vector<AvailableQuantity> endings;
};

/// If the text does not begin with a word of quantities and more behind it: what the run has with this in its name.
QuantityLines quantity_lines(const std::string& typed, const RunView& run);

struct PaletteEntry {
    std::string kind;   // "command", "preset", "setting"
    std::string label;  // what the user types first
    std::string help;
    std::optional<Ask> asks = {};
    std::string why_not = {};    // "" if it is available
    std::string name = {};       // found by, but not shown: its name as in files,
    std::string of = {};         // and what it belongs to
    std::string keys = {};       // "" for none
    std::string completed = {};  // what is typed then, instead of asking
};

/// The entries in which every word of the query begins a word or stands inside one: first those whose kind or whole
/// name is typed, then by the label's words, by those of what it belongs to, then of name, kind and help; equal ones in
/// their order. Without words all entries.
std::vector<size_t> ranked(const std::vector<PaletteEntry>& entries, const std::string& query);

class Palette : public Sheet {
  public:
    using Entries = std::function<std::vector<PaletteEntry>(const Session&)>;
    explicit Palette(Entries entries) : Sheet("palette", Keys::own), list_(std::move(entries)) {}
    void open(const Session& session) override;

    /// Enter or a click closes it and asks. Its lines are logged as "palette LABEL".
    void draw(const Context& context) override;

    const std::string& query() const { return query_; }

  private:
    void choose(int by);
    void look_up(const Session& session);
    void draw_query(const Ui& ui);
    bool draw_line(const Ui& ui, const PaletteEntry& entry, bool chosen) const;
    int draw_list(const Ui& ui);
    void draw_help(const Ui& ui) const;

    Entries list_;
    bool focus_ = false;
    std::vector<PaletteEntry> entries_, quantities_;
    std::string query_, looked_up_;
    Session::Moment looked_in_;
    std::vector<const PaletteEntry*> shown_;
    std::string ending_;   // what Tab completes the query to
    bool at_end_ = false;  // the cursor goes behind what is typed
    int chosen_ = 0;
    bool moved_ = false;  // the chosen line is to be scrolled into view
};

}  // namespace emergence
