#include "core/lessons/write_lesson.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/text.h"

namespace emergence {
namespace {

std::string list_text(const std::vector<std::string>& names) { return toml_value(ViewValue(names)); }

// Names of fields need no quotation marks.
std::string table_text(const std::vector<std::pair<std::string, FieldValue>>& values) {
    return "{ " +
           listed(values, [](const auto& each) { return each.first + " = " + toml_value(each.second); }) +
           " }";
}

}  // namespace

std::string lesson_file_text(const LessonDraft& draft) {
    std::string text =
        "# Replace the words; 40 are read at most. Lines with # in front are further possibilities.\n"
        "title = \"My lesson\"\n"
        "description = \"What it teaches, in one sentence.\"\n"
        "minutes = 3\n"
        "\n"
        "[[step]]\n"
        "text = \"Say what is to be seen, and ask.\"\n";
    const auto line = [&](const char* key, const std::string& value) {
        text += fmt::format("{} = {}\n", key, value);
    };
    line("opens", quoted_toml(draft.opens));
    std::vector<std::pair<std::string, FieldValue>> settings;
    for (const SettingsFile::Entry& entry : draft.settings) settings.emplace_back(entry.name, entry.value);
    if (!settings.empty()) line("settings", table_text(settings));
    if (!draft.staging.stage.empty()) line("stage", list_text(draft.staging.stage));
    if (!draft.staging.wings.empty()) line("wings", list_text(draft.staging.wings));
    if (!draft.staging.controls.empty()) line("unlocked", list_text(draft.staging.controls));
    if (draft.compare) line("compare", table_text({{draft.compare->field, draft.compare->value}}));
    text += "# predict = { choose = [\"yes\", \"no\"], answer = \"yes\" }\n";
    if (draft.step > 0) line("until", fmt::format("\"step >= {}\"", draft.step));
    text += "reveal = \"Say what has happened, and why.\"\n";
    return text;
}

}  // namespace emergence
