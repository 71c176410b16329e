#include "core/experiments/in_context_td/published/published_params.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/files/text.h"

namespace emergence {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kLongestParams = size_t{1} << 16;

// Reads the file's values and checks their types.
class Keys {
  public:
    Keys(const Json& object, const std::string& source) : object_(object), source_(source) {}

    void take(const char* name, int64_t& value) const {
        const Json* found = find(name);
        if (found == nullptr) return;
        if (!found->is_number_integer() ||
            (found->is_number_unsigned() &&
             found->get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())))
            refuse(name, "a whole number of at most 64 bits");
        value = found->get<int64_t>();
    }
    void take(const char* name, double& value) const {
        const Json* found = find(name);
        if (found == nullptr) return;
        if (!found->is_number()) refuse(name, "a number");
        value = found->get<double>();
    }
    void take(const char* name, bool& value) const {
        const Json* found = find(name);
        if (found == nullptr) return;
        if (!found->is_boolean()) refuse(name, "true or false");
        value = found->get<bool>();
    }
    void take(const char* name, std::string& value) const {
        const Json* found = find(name);
        if (found == nullptr) return;
        if (!found->is_string()) refuse(name, "a text");
        value = found->get<std::string>();
    }
    void need(const char* name) const {
        if (find(name) == nullptr) throw InputError(fmt::format("{}: the key '{}' is missing", source_, name));
    }
    [[noreturn]] void refuse(const char* name, const std::string& allowed) const {
        // Print any value on one readable line.
        std::string found = find(name)->dump(-1, ' ', true, Json::error_handler_t::replace);
        if (found.size() > 40) found = found.substr(0, 40) + "...";
        throw InputError(fmt::format("{}: {}: {} is not {}", source_, name, found, allowed));
    }

  private:
    const Json* find(const char* name) const {
        const auto found = object_.find(name);
        return found == object_.end() ? nullptr : &*found;
    }
    const Json& object_;
    const std::string& source_;
};

Json parse_object(std::string_view text, const std::string& source) {
    const std::string plain = plain_text(text, source, kLongestParams);
    check_nesting(plain, source);
    try {
        Json object = Json::parse(plain);
        if (!object.is_object())
            throw InputError(fmt::format("{}: is no JSON object such as {{\"d\": 4, ...}}", source));
        return object;
    } catch (const Json::parse_error& error) {
        throw InputError(fmt::format("{}is no JSON: wrong at byte {}. Correct the line, or take the original file",
                                     place_in(plain, error.byte, source), error.byte));
    } catch (const Json::exception& error) {
        throw InputError(fmt::format("{}: holds a number that is too large", source));
    }
}

// Visits every key except `linear`, which follows from `activation`, and `mrp_class`.
template <class Params, class Visit>
void visit_params(Params& p, const Visit& visit) {
    visit("d", p.d);
    visit("s", p.s);
    visit("n", p.n);
    visit("l", p.l);
    visit("gamma", p.gamma);
    visit("activation", p.activation);
    visit("sample_weight", p.sample_weight);
    visit("mode", p.mode);
    visit("n_mrps", p.n_mrps);
    visit("mini_batch_size", p.mini_batch_size);
    visit("n_batch_per_mrp", p.n_batch_per_mrp);
    visit("lr", p.lr);
    visit("weight_decay", p.weight_decay);
    visit("log_interval", p.log_interval);
    visit("random_seed", p.random_seed);
}

}  // namespace

PublishedParams parse_published_params(std::string_view text, const std::string& source) {
    const Json object = parse_object(text, source);
    const Keys keys(object, source);
    for (const char* name : {"d", "s", "n", "l"}) keys.need(name);
    PublishedParams params;
    visit_params(params, [&keys](const char* name, auto& value) { keys.take(name, value); });
    keys.take("mrp_class", params.mrp_class);
    if (params.mode != "auto" && params.mode != "sequential") keys.refuse("mode", "\"auto\" or \"sequential\"");
    bool linear = params.activation == "identity";
    keys.take("linear", linear);
    if (linear != (params.activation == "identity"))
        keys.refuse("linear", "true for the activation identity, false for others");
    return params;
}

std::string published_params_text(const PublishedParams& params) {
    Json object;
    visit_params(params, [&object](const char* name, const auto& value) { object[name] = value; });
    object["linear"] = params.activation == "identity";
    object["mrp_class"] = params.mrp_class;
    return object.dump();
}

}  // namespace emergence
