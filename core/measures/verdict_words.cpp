#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text.h"
#include "core/measures/verdict.h"

namespace emergence {
namespace {

std::string range_of(const FittedNumber& number, double factor = 1) {
    return fmt::format("{:.2f} to {:.2f}", factor * (number.value - number.half),
                       factor * (number.value + number.half));
}

// "plus 40 % of the residual gradient"
std::string c_words(double c) {
    return fmt::format("{} {:.0f} % of the residual gradient", c < 0 ? "minus" : "plus", 100 * std::abs(c));
}

// What the second coordinate says, beside that of a landmark.
std::string second_words(PlaceAxis axis, double value, double instead_of) {
    switch (axis) {
        case PlaceAxis::gradient:
            return instead_of == 0 ? c_words(value) : fmt::format("{:.0f} % of its second term", 100 * value);
        case PlaceAxis::trace:
            return fmt::format("\u03bb {:.2f} instead of {:.2f}", value, instead_of);
        case PlaceAxis::mean_reward:
            return fmt::format("{:.0f} % of the mean reward subtracted", 100 * value);
    }
    return "";
}

// ", best described with discount 0.68 instead of 0.9 (explains 1 % more)"; "" if the intervals hold the landmark.
std::string how_it_differs(const NetworkVerdict& verdict, const Landmark& landmark, PlaceAxis axis, double gamma) {
    std::vector<std::string> parts;
    if (verdict.beta.is_known() && verdict.beta.excludes(landmark.beta))
        parts.push_back(landmark.beta == 0 ? fmt::format("discount {:.2f}", verdict.beta.value * gamma)
                                           : fmt::format("discount {:.2f} instead of {:.2g}",
                                                         verdict.beta.value * gamma, landmark.beta * gamma));
    if (verdict.c.is_known() && verdict.c.excludes(landmark.c))
        parts.push_back(second_words(axis, verdict.c.value, landmark.c));
    if (parts.empty()) return "";
    std::string words = fmt::format(", best described with {}", fmt::join(parts, " and "));
    const double best = verdict.by_matrices ? verdict.unexplained_by_matrices : verdict.unexplained;
    const double more = verdict.by_matrices ? 0 : verdict.leaves[static_cast<size_t>(verdict.of)].value - best;
    if (more >= 0.005) words += fmt::format(" (explains {} more)", percent_of(more));
    return words;
}

std::string named_words(const NetworkVerdict& verdict, const std::vector<Landmark>& landmarks, PlaceAxis axis,
                        double gamma) {
    const Landmark& landmark = landmarks[static_cast<size_t>(verdict.of)];
    const std::string sign = verdict.name == VerdictName::wrong_sign ? " with the wrong sign" : "";
    const std::string matrices = verdict.by_matrices ? " with a matrix for each step" : "";
    if (landmark.one_step)
        return fmt::format("correlates features with rewards{}{}; does not bootstrap", sign, matrices);
    const std::string differs = how_it_differs(verdict, landmark, axis, gamma);
    if (landmark.beta == 0) return fmt::format("regresses rewards{}{}; does not bootstrap{}", sign, matrices, differs);
    return fmt::format("computes {}{}{}{}", landmark.label, sign, matrices, differs);
}

std::string between_words(const NetworkVerdict& verdict, PlaceAxis axis, double gamma) {
    std::vector<std::string> parts;
    if (verdict.beta.is_known())
        parts.push_back(fmt::format("discount {:.2f} ({}) where the task has {:.2g}", verdict.beta.value * gamma,
                                    range_of(verdict.beta, gamma), gamma));
    if (verdict.c.is_known()) {
        const char* const what[] = {"residual gradient", "\u03bb", "mean reward"};
        parts.push_back(
            fmt::format("{} {:.2f} ({})", what[static_cast<size_t>(axis)], verdict.c.value, range_of(verdict.c)));
    }
    return parts.empty() ? "lies between the named algorithms"
                         : fmt::format("lies between the named algorithms: {}", fmt::join(parts, ", "));
}

std::string tied_words(const NetworkVerdict& verdict, const std::vector<Landmark>& landmarks) {
    std::vector<std::string> names;
    for (const int tie : verdict.ties) names.push_back(landmarks[static_cast<size_t>(tie)].label);
    if (names.size() == 1) return fmt::format("could be {}: its values do not settle it", names[0]);
    return fmt::format("cannot be told apart: {}", fmt::join(names, ", "));
}

// The named algorithm that leaves least.
std::string unnamed_words(const NetworkVerdict& verdict, const std::vector<Landmark>& landmarks) {
    size_t nearest = 0;
    for (size_t m = 1; m < verdict.leaves.size(); ++m)
        if (verdict.leaves[m].value < verdict.leaves[nearest].value) nearest = m;
    if (verdict.leaves.empty()) return "no named algorithm";
    return fmt::format("no named algorithm: the nearest, {}, leaves {} unexplained", landmarks[nearest].label,
                       percent_of(verdict.leaves[nearest].value));
}

}  // namespace

std::string label_of(const NetworkVerdict& verdict, const std::vector<Landmark>& landmarks) {
    switch (verdict.name) {
        case VerdictName::wrong_sign:
            return fmt::format("{}, wrong sign", landmarks[static_cast<size_t>(verdict.of)].label);
        case VerdictName::ambiguous:
            return "undecided";
        case VerdictName::between:
            return "between";
        case VerdictName::none:
            return "no named algorithm";
        default:
            return landmarks[static_cast<size_t>(verdict.of)].label;
    }
}

std::string sentence_of(const NetworkVerdict& verdict, const std::vector<Landmark>& landmarks, PlaceAxis axis,
                        double gamma) {
    if (!verdict.has_values()) return "predicts zero, or values that are not finite";
    const double left = verdict.by_matrices ? verdict.unexplained_by_matrices : verdict.unexplained;
    std::string words;
    switch (verdict.name) {
        case VerdictName::none:
            words = unnamed_words(verdict, landmarks);
            break;
        case VerdictName::between:
            words = between_words(verdict, axis, gamma);
            break;
        case VerdictName::ambiguous:
            words = tied_words(verdict, landmarks);
            break;
        default:
            words = named_words(verdict, landmarks, axis, gamma);
    }
    if (verdict.name != VerdictName::none) words += fmt::format("; {} unexplained", percent_of(left));
    return verdict.converged ? words : words + "; the fit has not come to rest";
}

}  // namespace emergence
