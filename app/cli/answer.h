#pragma once
// Holds a command's answer as a value. It prints as text, or as one line of JSON for programs, the last line of any
// command.

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "app/cli/command.h"
#include "core/settings/fields.h"

namespace emergence::cli {

/// Keys stay in the order in which they are added.
using Json = nlohmann::ordered_json;

/// A number, or null if it is not finite, which JSON cannot say.
Json json_number(double value);
/// A setting's value with its own type.
Json json_value(const FieldValue& value);
/// Prints one line. Wrong bytes in text that is not UTF-8 are replaced.
void print_json(const Json& json, std::ostream& out);

/// What a command answers.
struct Answer {
    Json value;  // null if there is nothing to say
    std::string text = {};
    int code = kDone;
};

/// Returns `pattern` with a row's values in place of "{key}", or of "{key:>9.4g}" in fmt's form. A dash stands for
/// null.
std::string row_text(const Json& row, std::string_view pattern);
/// Does the same for all rows of an array.
std::string rows_text(const Json& rows, std::string_view pattern);

/// Prints as text or, with --json, as JSON.
int print_answer(const Answer& answer, const Environment& environment);

/// Returns the claim for programs, with what was measured and the verdict.
Json claim_as_json(const Claim& claim, const Measurement& measurement);
/// Prints the verdict, number and statement of each of a figure's claims, and a count for each verdict. Returns how
/// many fail. A claim that was not measured fails.
int print_figure_claims(const std::vector<Claim>& claims, const std::string& figure,
                        const std::vector<MeasuredClaim>& measured, std::ostream& out);

/// Adds --json to the options of a command that answers.
template <class Request>
Command answering(const char* name, const char* purpose, const std::function<void(Options&, Request&)>& declare,
                  Answer (*answer)(const Request&, const Environment&), bool ends_in_order = false) {
    return command_of<Request>(
        name, purpose,
        [declare](Options& options, Request& request) {
            declare(options, request);
            options.json();
        },
        [answer](const Request& request, const Environment& environment) {
            return print_answer(answer(request, environment), environment);
        },
        ends_in_order);
}

}  // namespace emergence::cli
