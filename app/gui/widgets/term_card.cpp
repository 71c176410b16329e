#include "app/gui/widgets/term_card.h"

#include <fmt/format.h>

#include <utility>

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/floating.h"
#include "app/gui/widgets/text.h"

namespace emergence {

void TermCard::begin(const std::vector<std::string>& known) {
    on_ = true;
    known_ = {known.begin(), known.end()};
}

void TermCard::seen(const std::string& heading) {
    if (!on_ || (shown_ != nullptr && still_seen_)) return;
    for (const handbook::TermPlace& place : handbook::terms_in(heading)) {
        const bool is_new =
            place.end - place.begin > 1 && !known_.contains(place.term->word);  // a letter may be a name
        if (shown_ != nullptr ? place.term != shown_ : !is_new) continue;
        shown_ = place.term;
        still_seen_ = true;
        return;
    }
}

bool TermCard::dismiss() {
    if (shown_ == nullptr) return false;
    known_.insert(shown_->word);
    shown_ = nullptr;
    return true;
}

void TermCard::draw(const Ui& ui, const Box& room) {
    if (!std::exchange(still_seen_, false)) put_away();
    if (shown_ == nullptr || ui.presenting) return;
    ImGui::SetNextWindowPos({room.min.x, room.max().y - height_});
    ImGui::SetNextWindowSize({room.size.x, 0.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(10), ui.px(8)});
    const Floating card(ui, "term", ui.colors.axis, Floating::kQuiet | ImGuiWindowFlags_NoDecoration);
    ImGui::PopStyleVar();
    const float side = ui.px(20);
    ImGui::PushTextWrapPos(ImGui::GetContentRegionAvail().x - side);
    small_text(ui, ui.colors.text, fmt::format("{}: {}", shown_->word, shown_->definition));
    ImGui::PopTextWrapPos();
    ImGui::SetCursorPos({ImGui::GetWindowWidth() - side - ui.px(6), ui.px(6)});
    const bool closed =
        draw_button(ui, "term close", "×", {side, side}, "Read; hovering the word shows it again  (Esc)");
    height_ = ImGui::GetWindowHeight();
    if (closed) dismiss();
}

}  // namespace emergence
