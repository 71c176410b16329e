#include "app/gui/widgets/field_labels.h"

#include <algorithm>
#include <cctype>

#include "app/gui/widgets/text.h"

namespace emergence {
namespace {

bool in_name(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::string with_labels(std::string_view sentence, const FieldTable& fields) {
    std::string result;
    bool quoted = false;
    bool first = true;
    size_t i = 0;
    while (i < sentence.size()) {
        size_t end = i;
        while (end < sentence.size() && in_name(sentence[end])) ++end;
        if (end == i) {
            quoted = quoted != (sentence[i] == '\'');
            result += sentence[i++];
            continue;
        }
        const std::string_view word = sentence.substr(i, end - i);
        i = end;
        const auto field =
            std::find_if(fields.begin(), fields.end(), [word](const FieldInfo& info) { return info.name == word; });
        if (quoted || field == fields.end() || field->label == word) {
            result += word;
            continue;
        }
        result += greek(field->label);
        if (first) result += " (" + field->name + ")";
        first = false;
    }
    return result;
}

std::string help_in_words(const FieldInfo& info) {
    std::string result;
    for (size_t i = 0; i < info.help.size();) {
        size_t end = i;
        while (end < info.help.size() && (in_name(info.help[end]) || info.help[end] == '-')) ++end;
        const std::string word = info.help.substr(i, std::max<size_t>(end - i, 1));
        const auto label = std::find_if(info.choice_labels.begin(), info.choice_labels.end(),
                                        [&](const auto& one) { return one.first == word; });
        result += label != info.choice_labels.end() ? label->second : word;
        i += word.size();
    }
    return in_words(result);
}

}  // namespace emergence
