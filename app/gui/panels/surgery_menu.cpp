#include "app/gui/panels/surgery_menu.h"

#include <fmt/format.h>
#include <imgui.h>

#include <utility>

#include "app/gui/shell/widget_log.h"
#include "app/gui/widgets/text.h"
#include "core/settings/fields.h"

namespace emergence {
namespace {

std::string without_last(const std::string& operations) {
    const size_t last = operations.rfind(';');
    return last == std::string::npos ? "" : operations.substr(0, last);
}

// Null if the experiment has none, or none that acts.
const FieldInfo* surgery_field(const Settings& settings) {
    const FieldInfo* field = settings.field(FieldRole::surgery);
    return field != nullptr && why_idle(settings, *field).empty() ? field : nullptr;
}

// The weight matrix that the block lies in; null if none: only weights have a norm to begin with.
const NamedMatrix* operated_matrix(const Snapshot& snapshot, const BlockReference& block) {
    const NamedMatrix* matrix = find_matrix(snapshot, block.matrix);
    const auto inside = [](int index, const std::vector<Block>& blocks) {
        return index < static_cast<int>(blocks.size());
    };
    const bool fits = matrix != nullptr && !matrix->initial_products.values.empty() &&
                      inside(block.row_block, matrix->row_blocks) && inside(block.column_block, matrix->column_blocks);
    return fits ? matrix : nullptr;
}

}  // namespace

void SurgeryMenu::open(const std::string& matrix, int row_block, int column_block) {
    block_ = {matrix, row_block, column_block};
    opening_ = true;
}

void SurgeryMenu::draw_items(const Ui& ui, const NamedMatrix& matrix, const std::string& field,
                             const std::string& before, Asks& asks) const {
    const auto offer = [&](const std::string& label, const std::string& operation) {
        if (ImGui::MenuItem(label.c_str()))
            asks(ask::Set{field, before.empty() ? operation : fmt::format("{}; {}", before, operation)});
        log_item(ui, ("surgery " + operation).c_str());
    };
    const std::string& row = matrix.row_blocks[static_cast<size_t>(block_.row_block)].label;
    const std::string& column = matrix.column_blocks[static_cast<size_t>(block_.column_block)].label;
    const std::string block = fmt::format("{}[{},{}]", matrix.name, row, column);
    const std::string words = greek(fmt::format("{}, {} by {},", matrix.name, row, column));
    ImGui::PushStyleColor(ImGuiCol_Text, ui.colors.muted);
    ImGui::TextUnformatted("Surgery, on a copy of the weights: training does not notice");
    ImGui::PopStyleColor();
    const bool has_theory = matrix.target.has_value();
    if (has_theory) offer(fmt::format("Set {} to theory's", words), "snap " + block);
    offer(fmt::format("Set {} to 0", words), "zero " + block);
    offer(fmt::format("Multiply {} by 0.5", words), fmt::format("scale {} 0.5", block));
    offer(fmt::format("Multiply {} by 2", words), fmt::format("scale {} 2", block));
    ImGui::Separator();
    if (has_theory) {
        offer(fmt::format("Set all of {} to theory's", matrix.name), "snap " + matrix.name);
        offer("Set every matrix to theory's", "snap");
        ImGui::Separator();
    }
    if (ImGui::MenuItem("Take back the last operation", nullptr, false, !before.empty()))
        asks(ask::Set{field, without_last(before)});
    log_item(ui, "surgery take back");
    if (ImGui::MenuItem("Leave all untouched", nullptr, false, !before.empty())) asks(ask::Set{field, std::string()});
    log_item(ui, "surgery none");
    if (ImGui::MenuItem("Train on from here")) asks(ask::TrainOn{});
    log_item(ui, "surgery train on");
}

void SurgeryMenu::draw(const Ui& ui, const Settings& settings, const Snapshot& snapshot, Asks& asks) {
    const bool opens = std::exchange(opening_, false);
    const FieldInfo* field = surgery_field(settings);
    if (field == nullptr) return;
    const NamedMatrix* matrix = operated_matrix(snapshot, block_);
    if (matrix == nullptr) return;
    if (opens) ImGui::OpenPopup("surgery");
    if (!ImGui::BeginPopup("surgery")) return;
    draw_items(ui, *matrix, field->name, settings.text(field->name), asks);
    ImGui::EndPopup();
}

}  // namespace emergence
