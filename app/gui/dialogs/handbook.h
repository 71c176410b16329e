#pragma once
// The handbook (F1): its contents, a search, and the open page.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/gui/commands/sheet.h"
#include "app/gui/dialogs/handbook_page.h"
#include "app/gui/shell/theme.h"
#include "app/handbook/chapters.h"

namespace emergence {

class HandbookPanel : public Sheet {
  public:
    HandbookPanel() : Sheet("handbook") {}
    /// Reads the chapters from here; otherwise from the program's own assets.
    void use(std::filesystem::path assets);

    /// Opens it where it was closed; the first time at Hello.
    void open(const Session& session) override;
    /// Opens a page, "window", "window.md#time", "keys"; "" as open().
    void open_at(const std::string& link);
    /// Opens a page that is no chapter. A later page of the same name replaces it.
    void open_page(handbook::Document page);
    /// The pages, then their sections.
    struct Entry {
        std::string link, title;
        std::string page;  // the title of a section's page; "" for a page
    };
    std::vector<Entry> entries();
    /// Scrolls if the handbook has the keyboard and the action is a way to scroll; else returns false.
    bool act(Action action);

    /// Logged as "panel handbook", pages as "chapter NAME", sections of the open page as "section ANCHOR", results of a
    /// search as "hit 0" and on.
    void draw(const Context& context) override;

    /// The open page, and how far it is scrolled.
    struct Place {
        std::string page = "hello";
        float scroll = 0.0F;  // pixels
    };
    const Place& place() const { return place_; }
    const std::vector<handbook::Hit>& hits() const { return hits_; }
    void go_back();

  private:
    void read_chapters();
    const handbook::Document& document() const;
    void go(const std::string& page, const std::string& anchor, std::optional<size_t> block = {});
    void follow(const PageClick& click, Asks& asks);
    void open_hit(size_t index);

    /// True if the words have changed.
    bool draw_search(const Ui& ui);
    void draw_contents(const Ui& ui);
    void draw_hits(const Ui& ui);
    std::optional<PageClick> draw_open_page(const Ui& ui);
    void use_page_keys(const Ui& ui);
    void follow_jump();
    const PagePlan& plan(const Ui& ui, float width);

    bool has_keys_ = false;
    bool show_entry_ = false;  // scroll the contents to the open page
    std::optional<std::filesystem::path> assets_;
    std::filesystem::path folder_;               // of the chapters
    std::vector<handbook::Document> documents_;  // the table of keys last; empty until they are read
    Pictures pictures_;

    Place place_;
    std::vector<Place> back_;
    std::optional<size_t> marked_;  // the block that a search has found
    // Where to scroll once the page is laid out.
    struct Jump {
        float scroll = 0.0F;
        std::string anchor;
        std::optional<size_t> block;
        size_t row = 0;  // of a table
    };
    std::optional<Jump> jump_;
    float scroll_by_ = 0.0F;  // lengths of the design, from keys

    std::string query_;
    std::vector<handbook::Hit> hits_;
    size_t chosen_hit_ = 0;

    PagePlan plan_;
    std::tuple<std::string, float, float> planned_for_;  // page, width, scale
};

}  // namespace emergence
