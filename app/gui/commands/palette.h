#pragma once
// The palette (Ctrl + K) finds commands, presets, settings and pages by their words.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/commands/sheet.h"

namespace emergence {

struct PaletteEntry {
    std::string kind;   // "command", "preset", "setting"
    std::string label;  // what the user types first
    std::string help;
    std::optional<Ask> asks = {};
    std::string why_not = {};  // "" if it is available
    std::string name = {};     // searched but not shown: its name in files
    std::string of = {};       // searched but not shown: what it belongs to
    std::string keys = {};     // "" for none
};

/// The entries that contain every word of the query. Entries whose kind or whole name is typed come first, then matches
/// in the label, in what it belongs to, and in name, kind and help. Ties keep their order. An empty query returns all
/// entries.
std::vector<size_t> ranked(const std::vector<PaletteEntry>& entries, const std::string& query);

class Palette : public Sheet {
  public:
    using Entries = std::function<std::vector<PaletteEntry>(const Session&)>;
    explicit Palette(Entries entries) : Sheet("palette", Keys::own), list_(std::move(entries)) {}
    void open(const Session& session) override;

    /// Enter or a click closes the palette and asks. Lines are logged as "palette LABEL".
    void draw(const Context& context) override;

    const std::string& query() const { return query_; }

  private:
    void choose(int by);
    void look_up();
    void draw_query(const Ui& ui);
    bool draw_line(const Ui& ui, const PaletteEntry& entry, bool chosen) const;
    int draw_list(const Ui& ui);
    void draw_help(const Ui& ui) const;

    Entries list_;
    bool focus_ = false;
    std::vector<PaletteEntry> entries_;
    std::string query_, looked_up_;
    std::vector<const PaletteEntry*> shown_;
    int chosen_ = 0;
    bool moved_ = false;  // scroll to the chosen line
};

}  // namespace emergence
