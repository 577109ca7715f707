package dev.bluebell.cli;

import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints. */
public final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"bluebell " + number(), "JDK " + Runtime.version()};
  }

  /** Version of the program. */
  public static String number() {
    return Main.class.getModule().getDescriptor() == null
        ? "development"
        : Main.class.getModule().getDescriptor().rawVersion().orElse("development");
  }
}
