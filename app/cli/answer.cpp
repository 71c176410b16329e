#include "app/cli/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace emergence::cli {

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json json_value(const FieldValue& value) {
    return std::visit([](const auto& v) { return Json(v); }, value);
}

void print_json(const Json& json, std::ostream& out) {
    // Writes only ASCII and escapes other characters, so that the text passes any terminal and locale.
    out << json.dump(-1, ' ', true, Json::error_handler_t::replace) << std::endl;
}

std::string row_text(const Json& row, std::string_view pattern) {
    std::string text;
    for (size_t at = 0; at < pattern.size(); ++at) {
        if (pattern[at] != '{') {
            text += pattern[at];
            continue;
        }
        const size_t end = pattern.find('}', at);
        const std::string_view field = pattern.substr(at + 1, end - at - 1);
        const size_t colon = std::min(field.find(':'), field.size());
        const Json& value = row.at(std::string(field.substr(0, colon)));
        const std::string spec(field.substr(colon));
        if (value.is_number_float())
            text += fmt::format(fmt::runtime("{" + spec + "}"), value.get<double>());
        else
            text += fmt::format(fmt::runtime("{" + spec.substr(0, spec.find('.')) + "}"),
                                value.is_string() ? value.get<std::string>()
                                : value.is_null() ? "\u2013"
                                                  : value.dump());
        at = end;
    }
    return text;
}

std::string rows_text(const Json& rows, std::string_view pattern) {
    std::string text;
    for (const Json& row : rows) text += row_text(row, pattern);
    return text;
}

int print_answer(const Answer& answer, const Environment& environment) {
    if (!environment.asked.json)
        environment.out << answer.text;
    else if (!answer.value.is_null())
        print_json(answer.value, environment.out);
    return answer.code;
}

}  // namespace emergence::cli
