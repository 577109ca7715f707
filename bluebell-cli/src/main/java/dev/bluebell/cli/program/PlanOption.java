package dev.bluebell.cli.program;

import dev.bluebell.program.offload.Offload;
import dev.bluebell.program.offload.Offloads;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options that name a program and the device that it is compiled for. */
public final class PlanOption extends TargetOption {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "NAME", description = "The program; 'bluebell program list' lists all.")
  private String name = "";

  /** The named program. */
  public Offload offload() {
    return Offloads.named(name)
        .orElseThrow(
            () ->
                new ParameterException(
                    Objects.requireNonNull(spec).commandLine(),
                    "there is no program %s: 'bluebell program list' lists all".formatted(name)));
  }
}
