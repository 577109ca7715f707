package dev.bluebell.cli.program;

import dev.bluebell.program.Program;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.SoftNicOptions;
import picocli.CommandLine.Option;

/** The options for the device that a program is compiled for. */
public class TargetOption {
  @Option(
      names = "--unchecked",
      description =
          "Put operands into index, QPN and size of WQEs, for devices that do not check these"
              + " fields (soft:wqe-checks=off).")
  private boolean unchecked;

  @Option(
      names = "--model",
      paramLabel = "conservative|assumed",
      description =
          "Whether fences delay a SEND_EN: conservative assumes that a fenced SEND_EN waits for"
              + " UMRs only (the default), assumed that fences delay it like any other request.")
  private Model model = Model.CONSERVATIVE;

  /** Whether the device checks index, QPN and size of each WQE. */
  public Target target() {
    return unchecked ? Target.UNCHECKED : Target.CHECKED;
  }

  /** The assumption about fences that the program may rely on. */
  public Model model() {
    return model;
  }

  /** A device that the polling thread runs, and that behaves as the program was compiled for. */
  public SoftNicOptions device() {
    return SoftNicOptions.DEFAULT
        .withEngine(EngineMode.POLL)
        .withWqeChecks(target() == Target.CHECKED)
        .withFencedEnables(model == Model.ASSUMED);
  }

  /** Compiles a program for any number of calls. */
  public Plan compileForMany(Program program) {
    return Compiler.compile(program, target(), model, Calls.MANY);
  }

  /** Compiles a program for one call. */
  public Plan compile(Program program) {
    return Compiler.compile(program, target(), model);
  }
}
