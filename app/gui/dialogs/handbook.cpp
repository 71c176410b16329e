#include "app/gui/dialogs/handbook.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <utility>

#include "app/gui/commands/command.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "app/handbook/chapters.h"
#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/files/folders.h"

namespace emergence {
namespace {

constexpr size_t kMostPlaces = 100;  // to go back to

// Stands in for a chapter whose file cannot be read.
handbook::Document missing_page(const std::string& name, const std::string& why) {
    return handbook::parse_markdown(name, fmt::format("# {}\n\n{}\n", name, why));
}

handbook::Document read_page(const std::filesystem::path& assets, const std::string& name) {
    try {
        return handbook::read_chapter(assets, name);
    } catch (const std::runtime_error& error) {
        return missing_page(name, error.what());
    }
}

// The window needs no section on how to start it.
void omit_start(handbook::Document& hello) {
    const handbook::Block* start = handbook::section_of(hello, "start");
    if (start == nullptr) return;
    const auto first = hello.blocks.begin() + (start - hello.blocks.data());
    hello.blocks.erase(first, std::find_if(first + 1, hello.blocks.end(), [](const handbook::Block& block) {
                           return block.kind == handbook::Block::Kind::heading;
                       }));
}

constexpr float kHandbookWidth = 1264.0F, kHandbookHeight = 880.0F, kContentsWidth = 270.0F;  // of the design
constexpr size_t kMostHits = 60;

}  // namespace

void HandbookPanel::use(std::filesystem::path assets) {
    assets_ = std::move(assets);
    documents_.clear();
}

void HandbookPanel::read_chapters() {
    documents_.clear();
    planned_for_ = {};
    try {
        if (!assets_) assets_ = assets_folder();
    } catch (const std::runtime_error& error) {
        documents_ = {missing_page("hello", error.what()), keys_document()};
        return;
    }
    folder_ = handbook::handbook_folder(*assets_);
    for (const std::string& name : handbook::chapter_names()) documents_.push_back(read_page(*assets_, name));
    omit_start(documents_.front());
    documents_.push_back(keys_document());
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

void HandbookPanel::open_page(handbook::Document page) {
    if (documents_.empty()) read_chapters();
    const std::string name = page.name;
    std::erase_if(documents_, [&](const handbook::Document& one) { return one.name == name; });
    documents_.push_back(std::move(page));
    planned_for_ = {};
    open_at(name);
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
    place_ = {page, 0.0F};
    place_.page = document().name;  // the first page if the name is unknown
    jump_ = Jump{0.0F, anchor, block};
    show_entry_ = true;
    marked_ = block;
}

void HandbookPanel::go_back() {
    if (back_.empty()) return;
    place_ = back_.back();
    back_.pop_back();
    jump_ = Jump{place_.scroll, "", {}};
    show_entry_ = true;
    marked_.reset();
}

void HandbookPanel::open_hit(size_t index) {
    if (index >= hits_.size()) return;
    chosen_hit_ = index;
    go(hits_[index].chapter, "", hits_[index].block);
    jump_->row = hits_[index].row;
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
    if (!open_ || !has_keys_) return false;
    constexpr float kLine = 60.0F, kAll = 1e9F;
    const float by = action == Action::field_up     ? -kLine
                     : action == Action::field_down ? kLine
                     : action == Action::time_first ? -kAll
                     : action == Action::time_live  ? kAll
                                                    : 0.0F;
    scroll_by_ += by;
    return by != 0.0F;
}

const PagePlan& HandbookPanel::plan(const Ui& ui, float width) {
    const std::tuple wanted(place_.page, width, ui.scale);
    if (std::exchange(planned_for_, wanted) != wanted) plan_ = plan_page(ui, document(), folder_, pictures_, width);
    return plan_;
}

bool HandbookPanel::draw_search(const Ui& ui) {
    const float button = ui.px(28), space = ui.px(5);
    if (draw_button(ui, "handbook back", "‹", {button, 0.0F}, "Back", false, !back_.empty())) go_back();
    ImGui::SameLine(0.0F, space);
    const float clear = query_.empty() ? 0.0F : button + space;
    const bool entered = draw_text_field(
        ui, "handbook search", "search the handbook", query_, ImGui::GetContentRegionAvail().x - clear,
        "Pages that have all these words. Enter opens, ↑ and ↓ choose.", ImGuiInputTextFlags_EnterReturnsTrue);
    const bool typing = ImGui::IsItemActive();
    bool another = ImGui::IsItemEdited();
    if (!query_.empty()) {
        ImGui::SameLine(0.0F, space);
        if (draw_button(ui, "handbook clear", "×", {button, 0.0F}, "Back to the contents")) {
            query_.clear();
            another = true;
        }
    }
    if (another) {
        hits_ = handbook::find(documents_, query_);
        if (hits_.size() > kMostHits) hits_.resize(kMostHits);
        chosen_hit_ = 0;
    }
    if (typing && !hits_.empty()) {
        if (key_pressed(ImGuiKey_DownArrow)) chosen_hit_ = std::min(chosen_hit_ + 1, hits_.size() - 1);
        if (key_pressed(ImGuiKey_UpArrow)) chosen_hit_ -= std::min<size_t>(chosen_hit_, 1);
    }
    if (entered) open_hit(chosen_hit_);
    ImGui::Dummy({0.0F, ui.px(2)});
    return another;
}

void HandbookPanel::draw_contents(const Ui& ui) {
    std::optional<std::pair<std::string, std::string>> chosen;
    for (const handbook::Document& page : documents_) {
        const bool present = page.name == place_.page;
        if (!present && handbook::in_lab_book(page.name)) continue;
        const ImFont* font = present ? ui.fonts.bold : ui.fonts.body;
        if (draw_entry(ui, "chapter " + page.name, {{font, ui.colors.text, page.title}}, present))
            chosen = {page.name, ""};
        if (present && std::exchange(show_entry_, false) && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(0.25F);
        if (!present) continue;
        for (const handbook::Block& block : page.blocks)
            if (block.kind == handbook::Block::Kind::heading && block.level == 2 &&
                draw_entry(ui, "section " + block.target,
                           {{ui.fonts.small, ui.colors.muted, handbook::text_of(block.spans), ui.px(12)}}, false))
                chosen = {page.name, block.target};
    }
    ImGui::Dummy({0.0F, ui.px(6)});
    small_text(ui, ui.colors.muted, "The lab book (findings, claims, settings, files): search above, or Ctrl + K.");
    if (chosen) go(chosen->first, chosen->second);
}

void HandbookPanel::draw_hits(const Ui& ui) {
    if (hits_.empty()) {
        small_text(ui, ui.colors.muted, fmt::format("No page has “{}”.", query_));
        return;
    }
    std::optional<size_t> chosen;
    for (size_t i = 0; i < hits_.size(); ++i) {
        const handbook::Hit& hit = hits_[i];
        const auto page = find_if(documents_, [&](const auto& one) { return one.name == hit.chapter; });
        std::string where = page != documents_.end() ? page->title : hit.chapter;
        if (!hit.section.empty() && hit.section != where) where += " · " + hit.section;
        if (draw_entry(
                ui, fmt::format("hit {}", i),
                {{ui.fonts.small, ui.colors.accent, where}, {ui.fonts.small, ui.colors.text, hit.excerpt, 0.0F, 3}},
                i == chosen_hit_))
            chosen = i;
    }
    if (chosen) open_hit(*chosen);
}

void HandbookPanel::follow_jump() {
    if (!jump_) return;
    const handbook::Document& page = document();
    float y = jump_->scroll;
    std::optional<size_t> block = jump_->block;
    if (!jump_->anchor.empty())
        if (const handbook::Block* section = handbook::section_of(page, jump_->anchor))
            block = static_cast<size_t>(section - page.blocks.data());
    if (block && *block < plan_.blocks.size()) {
        const bool heading = page.blocks[*block].kind == handbook::Block::Kind::heading;
        // Text that was found stands a quarter down the page, so that the text before it is seen.
        const PlannedBlock& planned = plan_.blocks[*block];
        const float row = jump_->row < planned.rows.size() ? planned.rows[jump_->row] : 0.0F;
        y = std::max(0.0F, planned.top + row - (heading ? 0.0F : ImGui::GetWindowHeight() / 4));
    }
    ImGui::SetScrollY(y);
    place_.scroll = y;
    jump_.reset();
}

void HandbookPanel::use_page_keys(const Ui& ui) {
    const float page = ImGui::GetWindowHeight() * 0.9F;
    float by = std::exchange(scroll_by_, 0.0F) * ui.scale;
    if (has_keys_ && !ImGui::GetIO().WantTextInput) {
        if (key_pressed(ImGuiKey_PageDown)) by += page;
        if (key_pressed(ImGuiKey_PageUp)) by -= page;
    }
    if (by != 0.0F) ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + by, 0.0F, ImGui::GetScrollMaxY()));
}

std::optional<PageClick> HandbookPanel::draw_open_page(const Ui& ui) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(18), 0.0F});
    ImGui::BeginChild("page", {0.0F, 0.0F}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleVar();
    const float width = ImGui::GetContentRegionAvail().x;
    const bool jumped = jump_.has_value();
    plan(ui, width);
    follow_jump();
    const std::optional<PageClick> click = draw_page(ui, document(), plan_, folder_, pictures_, marked_);
    ImGui::Dummy({0.0F, ui.px(12)});
    use_page_keys(ui);
    if (!jumped) place_.scroll = ImGui::GetScrollY();
    ImGui::EndChild();
    return click;
}

void HandbookPanel::draw(const Context& context) {
    const Ui& ui = context.ui;
    has_keys_ = has_keys_ && open_;
    if (!open_) return;
    const SheetWindow sheet(ui, "handbook", kHandbookWidth, kHandbookHeight, std::exchange(raise_, false));
    has_keys_ = ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows);
    if (sheet.draw_heading(ui, "Handbook", "handbook", "", "F1 or Esc")) close();
    constexpr int kBackButton = 3;  // of a mouse that has it
    if (ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows) && ImGui::IsMouseClicked(kBackButton)) go_back();
    // Large type leaves more of the room to the page.
    const float left = std::min(ui.px(kContentsWidth), std::round(sheet.size().x * 0.27F));
    ImGui::BeginChild("left", {left, 0.0F});
    const bool another = draw_search(ui);
    ImGui::BeginChild("contents");
    if (another) ImGui::SetScrollY(0.0F);
    if (query_.empty())
        draw_contents(ui);
    else
        draw_hits(ui);
    ImGui::EndChild();
    ImGui::EndChild();
    ImGui::SameLine(0.0F, ui.px(4));
    const ImVec2 top = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddLine({top.x, top.y}, {top.x, top.y + ImGui::GetContentRegionAvail().y},
                                        ui.colors.grid);
    if (const std::optional<PageClick> click = draw_open_page(ui)) follow(*click, context.asks);
}

}  // namespace emergence
