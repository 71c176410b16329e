#pragma once
// Manual pages as roff, made from the programs' own descriptions and the experiments' tables of fields.

#include <string>
#include <utility>
#include <vector>

#include "app/install/command_words.h"
#include "core/lab/study.h"

namespace emergence {

/// Terms with what they mean, under a heading.
struct ManualTable {
    std::string title;
    std::string text;  // above the terms; "" for none
    std::vector<std::pair<std::string, std::string>> terms;
};

/// The page of a program in section 1: its description, options and commands, then `tables`.
std::string program_page(const CommandWords& program, const std::string& description,
                         const std::vector<ManualTable>& tables);

/// emergence-cli(1) and emergence(1), complete.
std::string command_line_page(const CommandWords& program, const std::vector<ExperimentInfo>& experiments);
/// `keys`: of the window's commands.
std::string window_page(const CommandWords& program, const ManualTable& keys);

/// emergence-experiments(7): every experiment, its rule of emergence, every setting with range, default and
/// help.
std::string experiments_page(const std::vector<ExperimentInfo>& experiments);

}  // namespace emergence
