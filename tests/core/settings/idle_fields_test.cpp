#include "core/settings/idle_fields.h"

#include <doctest/doctest.h>

using namespace emergence;

namespace {

FieldInfo number(const std::string& name, double value, std::vector<ActsWhile> acts = {}) {
    FieldInfo info{.name = name, .minimum = 0, .maximum = 10};
    info.default_value = value;
    info.acts_while = std::move(acts);
    return info;
}

Settings clamping_settings() {
    FieldInfo clamp{.name = "clamp", .choices = {"nothing", "Q", "P"}};
    clamp.default_value = std::string("nothing");
    return Settings(std::make_shared<const FieldTable>(
        FieldTable{clamp, number("sharpness", 4, {{"clamp", {"Q"}}}), number("over", 0),
                   number("end", 0, {{"over", {"0"}, true}, {"clamp", {"nothing", "P"}}})}));
}

}  // namespace

TEST_CASE("a field without an effect says beside what it has none") {
    Settings settings = clamping_settings();
    CHECK(why_idle(settings, settings.info("clamp")).empty());
    CHECK(why_idle(settings, settings.info("sharpness")) == "has no effect while clamp = nothing");
    CHECK(why_idle(settings, settings.info("end")) == "has no effect while over = 0");
    settings.set("clamp", std::string("Q"));
    settings.set("over", 2.0);
    CHECK(why_idle(settings, settings.info("sharpness")).empty());
    CHECK(why_idle(settings, settings.info("end")) == "has no effect while clamp = Q");
    settings.set("clamp", std::string("P"));
    CHECK(why_idle(settings, settings.info("end")).empty());
}

TEST_CASE("only what was asked for in vain is told") {
    Settings settings = clamping_settings();
    CHECK(idle_notices(settings).empty());
    CHECK(idle_notices(settings, {"end"}) == std::vector<std::string>{"end has no effect while over = 0"});
    settings.set("sharpness", 2.0);
    CHECK(idle_notices(settings) ==
          std::vector<std::string>{"sharpness has no effect while clamp = nothing"});
    settings.set("clamp", std::string("Q"));
    CHECK(idle_notices(settings).empty());
}

TEST_CASE("when a field acts can be read") {
    const Settings settings = clamping_settings();
    CHECK(acts_text(settings.info("clamp")).empty());
    CHECK(acts_text(settings.info("sharpness")) == "clamp = Q");
    CHECK(acts_text(settings.info("end")) == "over is not 0, and clamp = nothing or P");
}
