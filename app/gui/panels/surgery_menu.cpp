#include "app/gui/panels/surgery_menu.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cctype>

#include "app/gui/shell/widget_log.h"

namespace emergence {
namespace {

constexpr const char* kBlocks[] = {"phi", "next", "R"};
constexpr const char* kShown[] = {"\u03c6", "\u03b3\u03c6'", "R"};

bool is_weight_matrix(const std::string& name) {
    return name.size() > 1 && (name[0] == 'P' || name[0] == 'Q') &&
           std::all_of(name.begin() + 1, name.end(),
                       [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
}

std::string without_last(const std::string& operations) {
    const size_t last = operations.rfind(';');
    return last == std::string::npos ? "" : operations.substr(0, last);
}

}  // namespace

void SurgeryMenu::open(const std::string& matrix, int row_block, int column_block) {
    if (!is_weight_matrix(matrix) || std::max(row_block, column_block) > 2) return;
    matrix_ = matrix;
    block_ = fmt::format("{}[{},{}]", matrix, kBlocks[row_block], kBlocks[column_block]);
    opening_ = true;
}

void SurgeryMenu::offer(const Ui& ui, const std::string& label, const std::string& operation,
                        const std::string& before) {
    if (ImGui::MenuItem(label.c_str()))
        wanted_ = before.empty() ? operation : fmt::format("{}; {}", before, operation);
    log_item(ui, ("surgery " + operation).c_str());
}

void SurgeryMenu::draw(const Ui& ui, const Session& session) {
    if (!session.settings().has(kSurgeryField)) return;
    if (std::exchange(opening_, false)) ImGui::OpenPopup("surgery");
    if (!ImGui::BeginPopup("surgery")) return;
    const std::string& before = session.settings().text(kSurgeryField);
    std::string shown = block_;
    for (int i = 0; i < 3; ++i)
        for (size_t at = shown.find(kBlocks[i]); at != std::string::npos;
             at = shown.find(kBlocks[i], at + std::string(kShown[i]).size()))
            shown.replace(at, std::string(kBlocks[i]).size(), kShown[i]);
    ImGui::PushStyleColor(ImGuiCol_Text, ui.colors.muted);
    ImGui::TextUnformatted("On a copy of the weights");
    ImGui::PopStyleColor();
    offer(ui, fmt::format("Snap {} to theory", shown), "snap " + block_, before);
    offer(ui, fmt::format("Zero {}", shown), "zero " + block_, before);
    offer(ui, fmt::format("Halve {}", shown), fmt::format("scale {} 0.5", block_), before);
    offer(ui, fmt::format("Double {}", shown), fmt::format("scale {} 2", block_), before);
    ImGui::Separator();
    offer(ui, fmt::format("Snap {} to theory", matrix_), "snap " + matrix_, before);
    offer(ui, "Snap all to theory", "snap", before);
    ImGui::Separator();
    if (ImGui::MenuItem("Take back the last operation", nullptr, false, !before.empty()))
        wanted_ = without_last(before);
    log_item(ui, "surgery take back");
    if (ImGui::MenuItem("Leave all untouched", nullptr, false, !before.empty())) wanted_ = "";
    log_item(ui, "surgery none");
    train_on_ = ImGui::MenuItem("Train on from here") || train_on_;
    log_item(ui, "surgery train on");
    ImGui::EndPopup();
}

}  // namespace emergence
