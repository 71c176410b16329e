#pragma once
// The README and the chapters, and the check that their tables are the program's. tests/handbook.sh has them
// written instead.

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/handbook/chapters.h"
#include "core/files/atomic_write.h"
#include "tests/support/generated.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"

namespace emergence::testing {

/// A page of the checkout: "README.md", "assets/handbook/window.md".
struct Page {
    std::string name;
    std::string text;
    bool is_readme() const { return name == "README.md"; }
    std::filesystem::path folder() const { return (source_dir() / name).parent_path(); }
};

/// The README, then the chapters that have a file.
inline std::vector<Page> handbook_pages() {
    std::vector<Page> pages = {{"README.md", slurp(source_dir() / "README.md")}};
    for (const std::string& chapter : handbook::chapter_names()) {
        const std::string name =
            "assets/handbook/" + std::string(handbook::in_lab_book(chapter) ? "lab/" : "") + chapter + ".md";
        if (std::filesystem::exists(source_dir() / name)) pages.push_back({name, slurp(source_dir() / name)});
    }
    return pages;
}

inline handbook::Document document_of(const Page& page) {
    return handbook::parse_markdown(std::filesystem::path(page.name).stem().string(), page.text);
}

/// Compares; with EMERGENCE_HANDBOOK_WRITE set, replaces the files that differ.
inline void check_filled(const handbook::Tables& tables) {
    const bool write = std::getenv("EMERGENCE_HANDBOOK_WRITE") != nullptr;
    const std::vector<ClaimResults> results = read_all_claim_results(source_dir() / "assets/results");
    for (const Page& page : handbook_pages()) {
        const char* presets = page.name.find("/lab/") != std::string::npos ? "../../presets/" : "../presets/";
        const std::string filled =
            handbook::with_numbers(page.name, handbook::with_tables(page.name, page.text, tables, presets), results);
        if (filled == page.text) continue;
        if (write) {
            write_file(source_dir() / page.name, std::string_view(filled));
            MESSAGE("written: " << page.name);
        } else {
            FAIL_CHECK(page.name << " has tables that are not the program's. Write them anew: sh tests/handbook.sh");
        }
    }
}

}  // namespace emergence::testing
