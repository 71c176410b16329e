#pragma once
// Golden pictures: where they are, how a picture is compared with its golden one, how they are recorded.
// tests/golden.sh runs all of it.

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "app/export/export.h"

namespace emergence::testing {

/// tests/golden of the checkout.
std::filesystem::path golden_folder();
/// Where pictures that differ are put: EMERGENCE_GOLDEN_DIFFERENCES, or golden-differences in the working
/// directory.
std::filesystem::path differences_folder();

/// Of `names`, those that this process draws: EMERGENCE_GOLDEN_SHARD=2/4 names every fourth, from the second
/// on, EMERGENCE_GOLDEN_ONLY some by name. Throws InputError for any other value.
std::vector<std::string> names_to_draw(const std::vector<std::string>& names);

/// The names of the files in the folder of golden pictures that are not in `expected`. With
/// EMERGENCE_GOLDEN_RECORD=1 it removes them instead.
std::vector<std::string> extra_pictures(const std::set<std::string>& expected);

/// The themes in which a preset has golden pictures: the folder is the list. With EMERGENCE_GOLDEN_RECORD=1 a preset
/// that is asked for by name and has none gets one, in the light theme.
std::vector<std::string> golden_themes(const std::string& preset);

/// Compares a picture of the window, whole size, with the golden picture `name`. "" if they show the same;
/// else what differs, the folder that holds old.png, new.png (both of half size), difference.png and
/// whole.png, and what to do.
/// With EMERGENCE_GOLDEN_RECORD=1 it replaces a golden picture that differs, prints so, and returns "".
std::string compared_with_golden(const std::string& name, const PixelImage& picture);

/// The same for any two pictures of half size. `label` names the folder.
std::string compared(const std::string& label, const PixelImage& old, const PixelImage& now);

}  // namespace emergence::testing
