#include "app/gui/session/view_values.h"

#include <doctest/doctest.h>

#include "tests/app/gui/bench_of_panels.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

struct StateBench : BenchOfPanels {
    using BenchOfPanels::BenchOfPanels;
    std::string clipboard() const {
        const char* text = ImGui::GetClipboardText();
        return text != nullptr ? text : "";
    }
    void paste(const std::string& text) {
        ImGui::SetClipboardText(text.c_str());
        key(GLFW_KEY_V, GLFW_MOD_CONTROL);
        frames(3);
    }
};

}  // namespace

TEST_CASE("a state is copied as a short text and pasted into another window") {
    std::string text;
    {
        StateBench bench({"learning_rate=0.031", "size=5"});
        bench.step(7);
        bench.key(GLFW_KEY_M);  // raw matrices
        bench.key(GLFW_KEY_C, GLFW_MOD_CONTROL);
        text = bench.clipboard();
    }
    CHECK(text.find("experiment = \"toy\"") == 0);
    check_holds(text, {"step = 7", "learning_rate = 0.031"});
    CHECK_FALSE(holds(text, "num_steps"));  // as it is by itself
    CHECK(text.size() < 300);
    StateBench other;
    other.paste(text);
    CHECK(other.session->settings() == toy_settings({"learning_rate=0.031", "size=5"}));
    CHECK(other.snapshot().step == 7);
    CHECK(other.workbench.matrices().view().mode == MatrixView::Mode::raw);
    CHECK(other.session->banners().empty());
    other.key(GLFW_KEY_Z, GLFW_MOD_CONTROL);
    CHECK(other.session->settings() == toy_settings());
}

TEST_CASE("a running state has no step: it is the settings that are meant") {
    StateBench bench({}, {1600, 1000}, true);
    bench.frames(3);
    bench.key(GLFW_KEY_C, GLFW_MOD_CONTROL);
    CHECK_FALSE(holds(bench.clipboard(), "step ="));
}

TEST_CASE("a config is pasted with what e-mails and READMEs put around it") {
    StateBench bench;
    bench.paste("> ```toml\n>  experiment = \"toy\"\n> > title = \"four\"\n>     [settings]\n> size = 4\n> ```\n");
    CHECK(bench.session->banners().empty());
    CHECK(bench.session->settings().integer("size") == 4);
    bench.paste("    experiment = \"toy\"\r\n    [settings]\r\n    size = 6\r\n");
    CHECK(bench.session->settings().integer("size") == 6);
}

TEST_CASE("what is no config is refused with a sentence and changes nothing") {
    for (const char* text : {"  \n ", "hello", "experiment = \"else\"", "experiment = \"toy\"\n[settings]\nsize = 99",
                             "experiment = \"toy\"\n[settings]\nnothing = 1",
                             "experiment = \"toy\"\n[settings]\nsize = 16\nnum_seeds = 8"}) {
        CAPTURE(text);
        StateBench bench({"size=4"});
        const uint64_t run = bench.snapshot().run_number;
        bench.paste(text);
        REQUIRE(bench.session->banners().size() == 1);
        CHECK_FALSE(bench.session->banners()[0].empty());
        CHECK(bench.session->settings() == toy_settings({"size=4"}));
        CHECK(bench.snapshot().run_number == run);
    }
}
