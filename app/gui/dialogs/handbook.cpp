#include "app/gui/dialogs/handbook.h"

#include <algorithm>
#include <utility>

#include "app/gui/commands/keys_page.h"
#include "app/handbook/chapters.h"
#include "core/base/error.h"
#include "core/files/folders.h"

namespace emergence {
namespace {

constexpr size_t kMostPlaces = 100;  // to go back to

// Stands in for a chapter whose file cannot be read.
handbook::Document missing_page(const std::string& name, const std::string& why) {
    handbook::Document page = handbook::parse_markdown(name, "# " + name + "\n");
    handbook::Block reason;
    reason.spans = {{handbook::Span::Kind::text, why}};
    page.blocks.push_back(std::move(reason));
    page.title = name;
    return page;
}

handbook::Document read_page(const std::filesystem::path& assets, const std::string& name) {
    try {
        return handbook::read_chapter(assets, name);
    } catch (const std::runtime_error& error) {
        return missing_page(name, error.what());
    }
}

}  // namespace

void HandbookPanel::use(std::filesystem::path assets) {
    assets_ = std::move(assets);
    documents_.clear();
}

void HandbookPanel::read_chapters() {
    documents_ = {keys_document()};
    planned_page_.clear();
    try {
        if (!assets_) assets_ = assets_folder();
    } catch (const std::runtime_error& error) {
        documents_.push_back(missing_page("hello", error.what()));
        return;
    }
    folder_ = handbook::handbook_folder(*assets_);
    for (const std::string& name : handbook::chapter_names()) documents_.push_back(read_page(*assets_, name));
}

const handbook::Document& HandbookPanel::document() const {
    for (const handbook::Document& page : documents_)
        if (page.name == place_.page) return page;
    return documents_.front();
}

void HandbookPanel::open(const Session&) { open_at(""); }

void HandbookPanel::open_at(const std::string& link) {
    if (documents_.empty()) read_chapters();
    show();
    const std::string chapter = handbook::chapter_of(link);
    if (link.empty())
        jump_ = Jump{place_.scroll, "", {}};
    else
        go(chapter.empty() ? link : chapter, handbook::target_of(link).anchor);
}

std::vector<HandbookPanel::Entry> HandbookPanel::entries() {
    if (documents_.empty()) read_chapters();
    std::vector<Entry> all;
    for (const handbook::Document& page : documents_) {
        all.push_back({page.name, page.title, ""});
        for (const handbook::Block& block : page.blocks)
            if (block.kind == handbook::Block::Kind::heading && block.level > 1)
                all.push_back({page.name + ".md#" + block.target, text_of(block), page.title});
    }
    std::stable_partition(all.begin(), all.end(), [](const Entry& entry) { return entry.page.empty(); });
    return all;
}

void HandbookPanel::go(const std::string& page, const std::string& anchor, std::optional<size_t> block) {
    back_.push_back(place_);
    if (back_.size() > kMostPlaces) back_.erase(back_.begin());
    forward_.clear();
    place_ = {page, 0.0F};
    place_.page = document().name;  // the first page if the name is unknown
    jump_ = Jump{0.0F, anchor, block};
    show_entry_ = true;
    marked_ = block;
}

void HandbookPanel::move_between(std::vector<Place>& from, std::vector<Place>& to) {
    if (from.empty()) return;
    to.push_back(std::exchange(place_, from.back()));
    from.pop_back();
    jump_ = Jump{place_.scroll, "", {}};
    show_entry_ = true;
    marked_.reset();
}

void HandbookPanel::go_back() { move_between(back_, forward_); }

void HandbookPanel::go_forward() { move_between(forward_, back_); }

void HandbookPanel::open_hit(size_t index) {
    if (index >= hits_.size()) return;
    chosen_hit_ = index;
    go(hits_[index].chapter, "", hits_[index].block);
}

void HandbookPanel::follow(const PageClick& click, Asks& asks) {
    if (!click.copied.empty()) return asks(ask::Copy{click.copied, "Copied"});
    const std::string& link = click.link;
    if (const std::string preset = handbook::preset_of(link); !preset.empty()) {
        close();
        return asks(ask::OpenPreset{preset, "F1: back to the handbook"});
    }
    if (const std::string lesson = handbook::lesson_of(link); !lesson.empty()) {
        close();
        return asks(ask::TakeLesson{lesson});
    }
    const handbook::Target target = handbook::target_of(link);
    const std::string chapter = handbook::chapter_of(link);
    if (chapter.empty() && !target.file.empty()) return asks(ask::Copy{link, "Copied: " + link});
    go(chapter.empty() ? place_.page : chapter, target.anchor);
}

bool HandbookPanel::act(Action action) {
    if (!open_) return false;
    if (action == Action::page_back || action == Action::page_forward) {
        if (action == Action::page_back)
            go_back();
        else
            go_forward();
        return true;
    }
    if (!has_keys_) return false;
    constexpr float kLine = 60.0F, kFar = 400.0F, kAll = 1e9F;
    switch (action) {
        case Action::field_up:
            scroll_by_ -= kLine;
            return true;
        case Action::field_down:
            scroll_by_ += kLine;
            return true;
        case Action::field_far_up:
            scroll_by_ -= kFar;
            return true;
        case Action::field_far_down:
            scroll_by_ += kFar;
            return true;
        case Action::time_first:
            scroll_by_ = -kAll;
            return true;
        case Action::time_live:
            scroll_by_ = kAll;
            return true;
        case Action::search:
            search_wanted_ = true;
            return true;
        default:
            return false;
    }
}

const PagePlan& HandbookPanel::plan(const Ui& ui, float width) {
    if (planned_page_ != place_.page || planned_width_ != width || planned_scale_ != ui.scale) {
        plan_ = plan_page(ui, document(), folder_, pictures_, width);
        planned_page_ = place_.page;
        planned_width_ = width;
        planned_scale_ = ui.scale;
    }
    return plan_;
}

}  // namespace emergence
