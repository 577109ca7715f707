package dev.bluebell.examples.shared;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program of this class path in a separate JVM, which ends when its input ends. */
public final class ChildJvm implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;

  private ChildJvm(Process process) {
    this.process = process;
    output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Starts a class that has a {@code main}. */
  public static ChildJvm start(Class<?> program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseSerialGC");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(arguments));
    return new ChildJvm(new ProcessBuilder(command).redirectError(Redirect.INHERIT).start());
  }

  /** An address of this machine; its port may be 0, for any. */
  public static InetSocketAddress local(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** Returns the address of a server that prints its port. */
  public InetSocketAddress address() throws IOException {
    String port = output.readLine();
    if (port == null) {
      throw new IOException("the program ended before it printed its port");
    }
    return local(Integer.parseInt(port.strip()));
  }

  /** For the program itself: waits until its input ends. */
  public static void awaitEnd() throws IOException {
    while (System.in.read() >= 0) {
      // Only the end matters.
    }
  }

  /** Kills it, as by SIGKILL, and waits until it is gone. */
  public void kill() throws InterruptedException {
    int unused = process.destroyForcibly().waitFor();
  }

  /** Closes its input, and waits until it has ended. */
  @Override
  public void close() throws IOException, InterruptedException {
    process.getOutputStream().close();
    int unused = process.waitFor();
    output.close();
  }
}
