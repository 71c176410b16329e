#pragma once
// The commands and their options as CLI11 knows them: help, manual and completion come from here.

#include <CLI/CLI.hpp>
#include <string>

#include "app/cli/arguments.h"

namespace emergence::cli {

/// What CLI11 fills in. Numbers are text still: CLI11's own conversions do not say what is allowed.
struct RawArguments {
    InfoRequest info;
    RunRequest run;
    std::string figure;
    std::string threads;
    std::string autosave;
    std::string moments;
    std::string page_width;
    std::string page_dots;
    bool no_caption = false;
    bool force = false;
    bool json = false;
    ResumeRequest resume;
    ValueRequest value;
    std::string layers;
    std::string seed;
    VerifyRequest verify;
    ClaimsRequest claims;
    ReproduceRequest reproduce;
    NetworksRequest networks;
    SweepRequest sweep;
    std::string cell_seeds;
    CompareRequest compare;
    ReadRequest read;
    StructureRequest structure;
    IdentifyRequest identify;
    DescribeRequest described;
    ImportRequest imported;
    ExportRequest exported;
    HandbookRequest handbook;
    LessonRequest lesson;
    FilmRequest film;
    std::string film_size, film_rate, film_seconds;
    ManualRequest manual;
    ScriptRequest script;
    std::string start_weights;
};

/// One command, beside what it does.
void describe_claims_command(CLI::App& app, RawArguments& raw);
/// All. `raw` must outlive `app`.
void describe_commands(CLI::App& app, RawArguments& raw);

}  // namespace emergence::cli
