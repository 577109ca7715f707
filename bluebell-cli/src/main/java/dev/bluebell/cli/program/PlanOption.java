package dev.bluebell.cli.program;

import dev.bluebell.program.Program;
import dev.bluebell.program.compile.CompileException;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.program.offload.Offloads;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Which program, and for which device it is compiled. */
final class PlanOption {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "NAME", description = "The program: 'bluebell program list' has them.")
  private String name = "";

  @ArgGroup private Checks checks = new Checks();

  @Option(
      names = "--model",
      converter = ModelConverter.class,
      paramLabel = "conservative|assumed",
      description =
          "What is believed of fences: that none holds a SEND_EN (the default), or that they do as"
              + " with any other request.")
  private Model model = Model.CONSERVATIVE;

  /** One or the other. */
  static final class Checks {
    @Option(
        names = "--checked",
        description =
            "Keep index, QPN and size of every WQE valid, as devices check (the default).")
    private boolean checked;

    @Option(
        names = "--unchecked",
        description = "Put operands there, for devices that do not check (soft:wqe-checks=off).")
    private boolean unchecked;
  }

  /** The program that was named. */
  Offload offload() {
    return Offloads.named(name)
        .orElseThrow(
            () ->
                new ParameterException(
                    Objects.requireNonNull(spec).commandLine(),
                    "there is no program %s: 'bluebell program list' has them".formatted(name)));
  }

  Target target() {
    return checks.checked || !checks.unchecked ? Target.CHECKED : Target.UNCHECKED;
  }

  Model model() {
    return model;
  }

  /** For any number of calls; for one where that can't be done. */
  Plan compileForMany(Program program) {
    try {
      return Compiler.compile(program, target(), model, Calls.MANY);
    } catch (CompileException tooLong) {
      return compile(program);
    }
  }

  Plan compile(Program program) {
    return Compiler.compile(program, target(), model);
  }
}
