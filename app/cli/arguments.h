#pragma once
// What the user asked for on the command line, as plain data. Fields of experiments are still text here: they
// are checked against the experiment's own table.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/export/page_format.h"
#include "app/install/command_words.h"

namespace emergence::cli {

/// What a command does with files that are already where it is to write.
enum class Existing {
    refuse,   // says what is there
    replace,  // --force: moves them aside, also those of the same run
    renew,    // moves them aside unless they are of the same run, which is resumed
    ours,     // the caller has just written them
};

struct ListRequest {
    bool json = false;
};
struct InfoRequest {
    std::string name;  // of an experiment, a figure or a preset; "" is all experiments
    bool json = false;
};
struct RunRequest {
    bool is_figure = false;
    std::string name;               // of the experiment or the figure, or a file that says which (and, unless
                                    // something is changed, up to which step)
    std::vector<std::string> runs;  // of a figure file: the folders of saved ones
    std::vector<std::string> changes;  // "field=value"
    std::optional<std::string> seeds;
    std::optional<int> threads;
    std::optional<std::string> out;
    std::optional<std::string> preset;
    std::optional<std::string> config;
    std::optional<int> autosave;  // seconds between checkpoints; 0 for none but the last
    std::optional<int> moments;   // at most so many are saved
    Existing existing = Existing::refuse;
    bool json = false;  // the last line is the run's result
    PageFormat page = {};
    bool waits = true;        // for jobs of a figure that other processes compute
    bool takes_over = false;  // the folder, from a stopped process that writes it
};
/// Resume the run in a folder.
struct ResumeRequest {
    std::string folder;
    std::vector<std::string> changes;  // of fields that apply to a running run
    std::optional<int> threads;
    std::optional<int> autosave;
    std::optional<int> moments;
    bool json = false;
};
struct ValueRequest {
    std::string weights;
    std::string prompts;
    int layers = 1;
    std::string activation = "identity";
    std::optional<int> seed;  // which of the file's seeds, from 0
    bool json = false;
};
struct VerifyRequest {
    std::vector<std::string> names;  // of experiments, figures or claims; none is all
    bool list = false;               // says what there is, and measures nothing
    bool table = false;              // prints the last results, and measures nothing
    bool json = false;
};
/// The claims as files.
struct ClaimsRequest {
    std::string action = "list";     // check, measure
    std::vector<std::string> paths;  // of claims; to measure: a file, then folders of runs or figures
    bool json = false;
};
/// Every figure and every claim of some papers, and a report.
struct ReproduceRequest {
    std::vector<std::string> papers;  // none is all
    std::string out = "out/reproduce";
    std::optional<int> threads;
    Existing existing = Existing::refuse;
};
/// The networks that ship, trained again.
struct NetworksRequest {
    std::vector<std::string> presets;  // none is all
    std::vector<std::string> changes;  // "field=value"
    std::optional<int> seeds;
    std::string out = "out/networks";
    std::optional<int> threads;
    Existing existing = Existing::refuse;
};
/// Scores over a grid of fields.
struct SweepRequest {
    std::string
        file;  // a sweep, one of assets/sweeps by its name, the folder of one to resume, or an experiment
    std::vector<std::string> changes;  // "field=1,2,3", "field=0.1:1:5:log", "field=value"
    std::optional<std::string> preset;
    std::optional<std::string> score;
    std::optional<int> seeds;
    bool weights = false;         // each cell's are saved
    std::string x, y;             // the axes of the picture; "": as they are
    std::vector<std::string> at;  // "field=value": where the picture cuts through another axis
    std::optional<std::string> out;
    std::optional<int> threads;
    Existing existing = Existing::refuse;
    PageFormat page = {};
};
/// Finished runs, compared with the first.
struct CompareRequest {
    std::vector<std::string> folders;
    std::optional<std::string> score;  // of the figure
    std::optional<std::string> out;
    Existing existing = Existing::refuse;
    bool json = false;
    PageFormat page = {};
};
/// Numbers of saved runs; without runs the words for them, without quantities what each run has.
struct ReadRequest {
    std::vector<std::string> folders;
    std::vector<std::string> quantities;
    bool json = false;
};
/// The structure of a finished run's matrices over training.
struct StructureRequest {
    std::string folder;
    std::vector<std::string> matrices;  // none is all
    std::optional<std::string> out;
    Existing existing = Existing::refuse;
    PageFormat page = {};
};
/// Which algorithm each network computes.
struct IdentifyRequest {
    std::string path;                  // a run's folder, or a file of weights
    std::vector<std::string> changes;  // "field=value"; of weights only
    std::optional<int> threads;
    bool json = false;
};
/// The pictures of a run or a figure in sentences.
struct DescribeRequest {
    std::string name;  // of a figure, a run's folder, a picture, a preset or any file with settings
    std::optional<int> threads;
};
/// A run of the published code becomes a run folder of ours.
struct ImportRequest {
    std::string path;  // of data.npz and params.json, or of several such folders
    std::string out;
    std::optional<int> threads;
    Existing existing = Existing::refuse;
};
/// A run of ours becomes one in the form of the published code.
struct ExportRequest {
    std::string name;  // the folder of a run, or a file with settings
    std::string out;
    std::optional<int> threads;
    Existing existing = Existing::refuse;
};
/// A chapter of the handbook; all as HTML pages; or a search in them. Without any of these: the list of
/// chapters.
struct HandbookRequest {
    std::string chapter;
    std::optional<std::string> html;  // folder for the pages
    std::vector<std::string> words;   // to search for
};
/// The shipped lessons, or what is wrong with one.
struct LessonRequest {
    std::string action;   // list, check, class
    std::string file;     // or a shipped lesson's name
    bool play = false;    // also plays it: are its conditions reached, its answers true?
    std::string answers;  // of a class: a file or a folder
    std::string step;     // that they answer, counted from 1
    std::optional<int> threads;
};
/// A saved run as frames of a film.
struct FilmRequest {
    std::string folder;
    std::string out;
    int width = 1280, height = 720;
    int frames_per_second = 10;
    int seconds = 20;  // that the run takes, without its cues
    Existing existing = Existing::refuse;
};
/// A page of the manual, as roff.
struct ManualRequest {
    std::string page = "emergence-cli";
};
/// A shell's script for completion.
struct ScriptRequest {
    std::string shell;
};
/// What such a script asks: the words of a line, the last one begun.
struct CompleteRequest {
    std::vector<std::string> words;
};
/// Help or the version: something to print.
struct TextRequest {
    std::string text;
};
using Request = std::variant<TextRequest, ListRequest, InfoRequest, RunRequest, ResumeRequest, ValueRequest,
                             VerifyRequest, ClaimsRequest, ReproduceRequest, NetworksRequest, SweepRequest,
                             CompareRequest, ReadRequest, StructureRequest, IdentifyRequest, DescribeRequest,
                             ImportRequest, ExportRequest, HandbookRequest, LessonRequest, FilmRequest,
                             ManualRequest, ScriptRequest, CompleteRequest>;

/// Every command and option, for the manual and for completion.
CommandWords command_words();

/// Reads the arguments, the program's name not among them. Throws InputError, one line, for unknown commands
/// and options, missing ones, and numbers that are none or out of range.
Request parse_arguments(const std::vector<std::string>& arguments);

}  // namespace emergence::cli
