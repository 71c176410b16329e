#include "app/gui/guess/network_list.h"

#include <fmt/format.h>
#include <imgui.h>

#include <utility>

#include "app/gui/widgets/sheet_window.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/base/text.h"

namespace emergence {
namespace {

constexpr float kListWidth = 760.0F, kListHeight = 460.0F;

std::string said_of(const Riddles& riddles, const Riddle& riddle) {
    std::string wrong;
    for (size_t judge = 0; judge < riddle.verdicts.size(); ++judge)
        if (!riddle.verdicts[judge].right)
            wrong += fmt::format("{}{}", wrong.empty() ? "" : ", ", riddles.judges[judge].label);
    return wrong.empty() ? "All judges are right." : "Wrong: " + wrong + ".";
}

}  // namespace

void NetworkList::open_with(std::shared_ptr<const Riddles> riddles, std::vector<size_t> networks, std::string title,
                            size_t covered) {
    riddles_ = std::move(riddles);
    networks_ = std::move(networks);
    title_ = std::move(title);
    covered_ = covered;
    show();
}

void NetworkList::draw(const Context& context) {
    if (!open_) return;
    const Ui& ui = context.ui;
    const SheetWindow sheet(ui, "networks", kListWidth, kListHeight, std::exchange(raise_, false));
    if (sheet.draw_heading(ui, counted(networks_.size(), "network").c_str(), "networks", title_, "Esc")) close();
    small_text(ui, ui.colors.muted, "A click opens a network in the microscope.");
    if (covered_ > 0) small_text(ui, ui.colors.muted, fmt::format("{} more in this round: guess first.", covered_));
    ImGui::BeginChild("networks listed");
    for (const size_t index : networks_) {
        const Riddle& riddle = riddles_->networks[index];
        const std::string disguise = riddle.disguise.empty() ? "no disguise" : riddle.disguise;
        const std::string label =
            fmt::format("{}: {}; {}##{}", riddle.name(), riddle.made_as, disguise, riddle.file_name());
        if (ImGui::Selectable(label.c_str())) chosen_(index);
        log_item(ui, fmt::format("network {} {}", riddle.seed, riddle.number).c_str());
        explain_item(ui, said_of(*riddles_, riddle));
    }
    ImGui::EndChild();
}

}  // namespace emergence
