#pragma once
// Where the sources lie and the program that was built from them.

#include <filesystem>
#include <string>

namespace emergence::testing {

/// The folder of the checkout.
std::filesystem::path source_dir();
/// A file of tests/data.
std::filesystem::path data_file(const std::string& name);
/// emergence-cli of the build that is tested: a sanitized tree, which links the Release tree's test cases,
/// names its own in the environment variable EMERGENCE_CLI.
std::string cli_program();

}  // namespace emergence::testing
