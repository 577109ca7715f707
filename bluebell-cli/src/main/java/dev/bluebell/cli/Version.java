package dev.bluebell.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version text that {@code --version} prints. */
public final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"bluebell " + number(), "JDK " + Runtime.version()};
  }

  private static String number() {
    Properties properties = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version", "of unknown version");
  }
}
