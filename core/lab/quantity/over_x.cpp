// expanded(): `over x` with an operand for each x.
#include <algorithm>

#include "core/lab/quantity/leaf.h"

namespace emergence {
namespace {

// The x of the first name that is read at x.
std::vector<double> all_x(const Quantity& quantity, const std::vector<RunView>& runs, size_t of_run) {
    if (quantity.kind == QuantityKind::run) of_run = place_of_run(quantity, runs);
    if (of_run >= runs.size() || runs[of_run].snapshot == nullptr) return {};
    const RunView& run = runs[of_run];
    if (quantity.when == Quantity::When::at_x && quantity.kind == QuantityKind::curve) {
        const Series* curve = curve_of(quantity, *run.snapshot);
        return curve == nullptr ? std::vector<double>() : curve->x;
    }
    if (quantity.when == Quantity::When::at_x) {
        std::vector<double> steps = run.history == nullptr ? std::vector<double>() : run.history->steps();
        std::erase_if(steps, [&](double step) { return step > static_cast<double>(run.snapshot->step); });
        return steps;
    }
    for (const Quantity& operand : quantity.operands)
        if (std::vector<double> found = all_x(operand, runs, of_run); !found.empty()) return found;
    return {};
}

Quantity at_x(Quantity quantity, double x) {
    if (quantity.when == Quantity::When::at_x) {
        quantity.when = Quantity::When::at;
        quantity.number = x;
    }
    for (Quantity& operand : quantity.operands) operand = at_x(std::move(operand), x);
    return quantity;
}

}  // namespace

Quantity expanded(Quantity quantity, const std::vector<RunView>& runs, size_t of_run) {
    if (quantity.kind == QuantityKind::run) of_run = place_of_run(quantity, runs);
    if (quantity.kind != QuantityKind::over_x) {
        for (Quantity& operand : quantity.operands) operand = expanded(std::move(operand), runs, of_run);
        return quantity;
    }
    const std::vector<double> x = all_x(quantity, runs, of_run);
    const Quantity operand = std::move(quantity.operands.front());
    quantity.operands.clear();
    for (const double one : x)
        if (one >= quantity.from * x.back() && one <= quantity.to * x.back())
            quantity.operands.push_back(at_x(operand, one));
    return quantity;
}

}  // namespace emergence
