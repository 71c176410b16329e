#include "app/gui/panels/settings.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "app/gui/panels/panel.h"
#include "app/gui/widgets/field_editor.h"

namespace emergence {
namespace {

// The groups in the order in which their first fields were declared.
std::vector<std::string> groups_of(const FieldTable& fields) {
    std::vector<std::string> groups;
    for (const FieldInfo& field : fields)
        if (std::find(groups.begin(), groups.end(), field.group) == groups.end())
            groups.push_back(field.group);
    return groups;
}

std::string capitalised(std::string text) {
    if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

void draw_one(const Ui& ui, const FieldInfo& field, Session& session) {
    const auto chosen =
        draw_field(ui, field, session.settings().value(field.name), session.refusal(field.name));
    if (chosen) session.set_field(field.name, *chosen);
}

void draw_group(const Ui& ui, const std::string& group, Session& session) {
    // The transport panel has the stop condition already.
    const std::string elsewhere = session.stop_field().value_or("");
    std::vector<const FieldInfo*> plain;
    std::vector<const FieldInfo*> advanced;
    for (const FieldInfo& field : session.settings().fields())
        if (field.group == group && field.name != elsewhere)
            (field.advanced ? advanced : plain).push_back(&field);
    if (plain.empty() && advanced.empty()) return;

    ImGui::PushFont(ui.fonts.bold);
    ImGui::TextUnformatted(capitalised(group).c_str());
    ImGui::PopFont();
    for (const FieldInfo* field : plain) draw_one(ui, *field, session);
    if (!advanced.empty()) {
        const std::string label = "more##" + group;
        ImGui::PushStyleColor(ImGuiCol_Text, ui.colors.muted);
        const bool open = ImGui::TreeNodeEx(
            label.c_str(), ImGuiTreeNodeFlags_NoTreePushOnOpen | ImGuiTreeNodeFlags_SpanAvailWidth);
        ImGui::PopStyleColor();
        log_item(ui, ("more " + group).c_str());
        if (open)
            for (const FieldInfo* field : advanced) draw_one(ui, *field, session);
    }
    ImGui::Dummy({0.0F, ui.px(4)});
}

}  // namespace

void draw_settings(const Ui& ui, const Box& box, Session& session) {
    const Panel panel(ui, "settings", box, true);
    // References into the table stay valid while fields change: all Settings share one table.
    for (const std::string& group : groups_of(session.settings().fields())) draw_group(ui, group, session);
}

}  // namespace emergence
