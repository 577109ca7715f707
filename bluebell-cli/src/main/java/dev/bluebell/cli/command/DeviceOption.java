package dev.bluebell.cli.command;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaProvider;
import dev.bluebell.verbs.Device;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options of commands that use one device. */
public final class DeviceOption {
  private static final String SOFT = "soft";

  /** The engine that runs the software device. */
  public enum Engine {
    THREAD,
    POLL;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Spec(Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = {"-d", "--device"},
      paramLabel = "NAME",
      description =
          "The device, such as soft, soft:engine=poll, soft:loss=5%% or socket:PATH (the device of"
              + " 'bluebell serve'). Default: soft.")
  private @Nullable String name;

  @Option(
      names = "--engine",
      paramLabel = "thread|poll",
      description =
          "What runs the software device: a thread of its own (the default), or the thread that"
              + " polls.")
  private @Nullable Engine engine;

  /**
   * Opens the device.
   *
   * @throws ParameterException when there is no such device, or an option of it is wrong
   */
  public Device open() {
    return open(name(), Objects.requireNonNull(spec).commandLine());
  }

  /**
   * Opens a device for a command that defines its own device option.
   *
   * @throws ParameterException when there is no such device, or an option of it is wrong
   */
  public static Device open(String name, CommandLine command) {
    try {
      return Device.open(name);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Opens the device without a driver.
   *
   * @throws ParameterException when there is no such device, or an option of it is wrong
   */
  public Hca openHca() {
    return openHca(name(), Objects.requireNonNull(spec).commandLine());
  }

  /**
   * Opens a device without a driver, for a command that defines its own device option.
   *
   * @throws ParameterException when there is no such device, or an option of it is wrong
   */
  public static Hca openHca(String name, CommandLine command) {
    try {
      return HcaProvider.require(name);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, String.valueOf(e.getMessage()), e);
    }
  }

  private ParameterException wrongUsage(String sentence) {
    return new ParameterException(Objects.requireNonNull(spec).commandLine(), sentence);
  }

  /** Name of the device, with its options. */
  public String name() {
    return engine == null && name == null ? Device.names().getFirst() : fullName();
  }

  private String fullName() {
    String base = name == null ? SOFT : name;
    if (engine == null) {
      return base;
    }
    if (!isSoft(base)) {
      throw wrongUsage(
          "--engine is for the software device only, but --device names "
              + base
              + ": leave one out");
    }
    return with(base, "engine=" + engine);
  }

  /** Whether a name is that of the embedded software device, with or without options. */
  public static boolean isSoft(String name) {
    return name.equals(SOFT) || name.startsWith(SOFT + ":");
  }

  /** Name of a device, with one more option. */
  public static String with(String base, String option) {
    return base + (base.contains(":") ? "," : ":") + option;
  }
}
