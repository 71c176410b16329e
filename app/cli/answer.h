#pragma once
// Answers of commands as values: JSON for programs, on one line, so that they can read the last line of any command;
// and the text that is made of it.

#include <iosfwd>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "app/cli/command.h"
#include "core/settings/fields.h"

namespace emergence::cli {

/// Keys stay in the order in which they are added.
using Json = nlohmann::ordered_json;

/// A number; null if it is not finite, which JSON cannot say.
Json json_number(double value);
/// A setting's value with its own type.
Json json_value(const FieldValue& value);
/// One line. Text that is not UTF-8 has its wrong bytes replaced.
void print_json(const Json& json, std::ostream& out);

/// What a command answers.
struct Answer {
    Json value;  // null: nothing is said
    std::string text = {};
    int code = kDone;
};

/// `pattern` with a row's values in place of "{key}" and, filled up with blanks, of "{key:<20}".
std::string row_text(const Json& row, std::string_view pattern);
/// The same of all rows of an array.
std::string rows_text(const Json& rows, std::string_view pattern);

int print_answer(const Answer& answer, bool as_json, const Environment& environment);

/// A command that answers: --json is added to its options.
template <class Request>
Command answering(const char* name, const char* purpose, const std::function<void(Options&, Request&)>& declare,
                  Answer (*answer)(const Request&, const Environment&), bool ends_in_order = false) {
    return {name, purpose,
            [declare, answer](Options& options) -> Action {
                auto request = std::make_shared<Request>();
                auto json = std::make_shared<bool>(false);
                declare(options, *request);
                options.json(*json);
                return [request, json, answer](const Environment& environment) {
                    return print_answer(answer(*request, environment), *json, environment);
                };
            },
            ends_in_order};
}

}  // namespace emergence::cli
