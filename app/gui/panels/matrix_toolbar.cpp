// The toolbar and the menus of the matrices. Declared in matrices.h.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/panels/matrices.h"
#include "app/gui/shell/theme.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/base/text.h"
#include "core/lab/views/run_views.h"
#include "core/pictures/matrix_cells.h"
#include "core/settings/fields.h"

namespace emergence {
namespace {

const std::vector<const char*> kViewNames = {"scaled", "raw", "minus theory"};
constexpr const char* kEmerged = "mean of networks that look like theory";

std::string choice_text(const Snapshot& snapshot, const MatrixLook& look) {
    const MatrixView& view = look.view;
    if (look.every_seed) return "every network, side by side";
    if (view.seed_index >= 0)
        return fmt::format("seed {} alone", snapshot.seeds[static_cast<size_t>(view.seed_index)].seed);
    return view.emerged_only ? kEmerged : fmt::format("mean of all {}s", counted_as(snapshot.seed_word));
}

void draw_seed_choice(const Ui& ui, const Snapshot& snapshot, MatrixLook& look, float width) {
    MatrixView& view = look.view;
    if (!begin_choices(ui, "seeds", choice_text(snapshot, look), width)) return;
    const auto choose = [&](int seed_index, bool emerged_only) {
        view.seed_index = seed_index;
        if (seed_index < 0) view.emerged_only = emerged_only;
        look.every_seed = false;
    };
    if (draw_choice(ui, "every seed", "every network, side by side", look.every_seed)) look.every_seed = true;
    if (ImGui::Selectable("mean of all networks", view.seed_index < 0 && !view.emerged_only)) choose(-1, false);
    if (ImGui::Selectable(kEmerged, view.seed_index < 0 && view.emerged_only)) choose(-1, true);
    for (int i = 0; i < static_cast<int>(snapshot.seeds.size()); ++i) {
        const SeedStatus& seed = snapshot.seeds[static_cast<size_t>(i)];
        const std::string how = state_words(snapshot, seed);
        if (ImGui::Selectable(fmt::format("seed {} alone ({})", seed.seed, how).c_str(), view.seed_index == i))
            choose(i, view.emerged_only);
    }
    ImGui::EndCombo();
}

std::string without_last(const std::string& operations) {
    const size_t last = operations.rfind(';');
    return last == std::string::npos ? "" : operations.substr(0, last);
}

// The setting for surgery; null if the experiment has none that acts.
const FieldInfo* surgery_field(const Settings& settings) {
    const FieldInfo* field = settings.field(FieldRole::surgery);
    return field != nullptr && why_idle(settings, *field).empty() ? field : nullptr;
}

// The weight matrix of the block; null for other matrices, which have no initial products.
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

void draw_matrix_look(const Ui& ui, MatrixLook& look) {
    draw_check(
        ui, "link limits", "the same limits for all matrices", look.link_limits,
        "A colour means the same number in every matrix. Otherwise each has its own limit, set at its colour bar.");
    draw_check(ui, "magnitudes", "magnitudes only", look.view.magnitudes,
               "Absolute values, in a sequential colour map.");
}

bool draw_limits_editor(const Ui& ui, ColorLimits& limits, double shown) {
    using Rule = ColorLimits::Rule;
    const ColorLimits before = limits;
    ImGui::TextDisabled("colours end at");
    const auto rule = [&](const char* name, const char* label, Rule value) {
        if (ImGui::RadioButton(label, limits.rule == value)) {
            if (value == Rule::manual && limits.rule != value) limits.manual = shown;
            limits.rule = value;
        }
        log_item(ui, name);
    };
    rule("limits automatic", "the largest entry (scaled: 1)", Rule::automatic);
    rule("limits manual", "a number", Rule::manual);
    if (limits.rule == Rule::manual) {
        ImGui::SameLine();
        ImGui::SetNextItemWidth(ui.px(110));
        double typed = limits.manual;
        if (ImGui::InputDouble("##limit", &typed, 0.0, 0.0, "%.4g") && std::isfinite(typed) && typed > 0.0)
            limits.manual = std::clamp(typed, kSmallestLimit, kLargestLimit);
        log_item(ui, "limits value");
    }
    return limits != before;
}

void draw_matrix_toolbar(const Ui& ui, const Snapshot& snapshot, MatrixLook& look) {
    int mode = std::min(static_cast<int>(look.view.mode), 2);
    const std::vector<std::string> refusals = {
        mode_applies(snapshot, MatrixView::Mode::scaled) ? "" : "Scaled, these matrices would be another model.", "",
        mode_applies(snapshot, MatrixView::Mode::difference) ? "" : "There is no theory for these matrices."};
    if (draw_segments(ui, "view", kViewNames, mode, refusals)) look.view.mode = static_cast<MatrixView::Mode>(mode);
    if (snapshot.seeds.size() < 2) return;
    const float text = button_width(choice_text(snapshot, look)) + ImGui::GetFrameHeight();
    same_line_if_fits(ui.px(12), text);
    draw_seed_choice(ui, snapshot, look,
                     std::clamp(ImGui::GetContentRegionAvail().x, ui.px(90), std::max(text, ui.px(230))));
}

float draw_matrix_caption(const Ui& ui, const Snapshot& snapshot, const MatrixLook& look) {
    std::string text = snapshot.seeds.size() > 1 ? choice_text(snapshot, look) : "";
    if (mode_applies(snapshot, MatrixView::Mode::scaled))
        text += fmt::format("{}{}", text.empty() ? "" : ", ",
                            kViewNames[std::min<size_t>(static_cast<size_t>(look.view.mode), 2)]);
    if (text.empty()) return 0.0F;
    const ImVec2 size = text_size(ui.fonts.small, text), corner = ImGui::GetCursorScreenPos();
    const ImVec2 at(corner.x + ImGui::GetContentRegionAvail().x - size.x, corner.y + ui.px(8));
    draw_text(ImGui::GetWindowDrawList(), ui.fonts.small, at, ui.colors.muted, text);
    if (ui.log != nullptr) ui.log->record("matrix caption", at, {at.x + size.x, at.y + size.y});
    return size.x + ui.px(20);
}

void SurgeryMenu::open(const std::string& matrix, int row_block, int column_block) {
    block_ = {matrix, row_block, column_block};
    opening_ = true;
}

void SurgeryMenu::draw_items(const Ui& ui, const NamedMatrix& matrix, const std::string& field,
                             const std::string& before, Asks& asks) const {
    const auto offer = [&](const std::string& label, const std::string& operation) {
        if (ImGui::MenuItem(label.c_str()))
            asks(ask::Set{field, before.empty() ? operation : fmt::format("{}; {}", before, operation)});
        log_item(ui, "surgery " + operation);
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
