package dev.bluebell.cli.share;

import dev.bluebell.cli.command.DeviceOption;
import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.hca.HcaProvider;
import dev.bluebell.server.OwnFile;
import dev.bluebell.server.Processes;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.uverbs.DeviceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A device of {@code run}, with the name under which the application sees it.
 *
 * @param name such as {@code mlx5_0}
 * @param spec the device for a new process; {@code socket:PATH} for a running process
 * @param socket where its process listens
 */
record NamedDevice(String name, String spec, Path socket) {
  private static final String SOCKET = "socket:";

  // Text before the first ':' or '=' is a name if that sign is '='.
  private static final Pattern FORM = Pattern.compile("(?:([^:=]*)=)?(.+)", Pattern.DOTALL);

  /** A name becomes a folder name, and libibverbs has room for 63 characters. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,62}");

  /**
   * Parses the device options.
   *
   * @param options each {@code [NAME=]SPEC}; empty for the default device that all share
   * @param path socket of the process, if there is one device only; null for the default
   * @throws WorkFailed when names or sockets are missing or come twice
   */
  static List<NamedDevice> of(List<String> options, @Nullable Path path) throws IOException {
    List<NamedDevice> devices = new ArrayList<>();
    for (String option : options.isEmpty() ? List.of(ServeCommand.SOFT) : options) {
      NamedDevice device = of(option, path);
      if (devices.stream().anyMatch(other -> other.name.equals(device.name))) {
        throw new WorkFailed(
            "two devices are named %s; give each a name of its own: --device NAME=SPEC"
                .formatted(device.name));
      }
      devices.add(device);
    }
    if (path != null && devices.size() > 1) {
      throw new WorkFailed(
          "--socket is for one device; name several with --device NAME=socket:PATH");
    }
    return devices;
  }

  private static NamedDevice of(String option, @Nullable Path path) throws IOException {
    Matcher form = FORM.matcher(option);
    if (!form.matches()) {
      throw new WorkFailed("the device '%s' does not have the form [NAME=]SPEC".formatted(option));
    }
    String name = form.group(1) == null ? DeviceTree.NAME : form.group(1);
    if (!isName(name)) {
      throw new WorkFailed(
          "'%s' is not a valid device name: a name has letters, digits, dots, dashes and underscores, at most 63, and begins with a letter or digit, as in mlx5_1=soft"
              .formatted(name));
    }
    String spec = form.group(2);
    Path socket;
    if (spec.startsWith(SOCKET)) {
      socket = Path.of(spec.substring(SOCKET.length()));
    } else {
      socket = path == null ? RuntimeFolder.socket(name) : path;
    }
    socket = socket.toAbsolutePath();
    if (socket.toString().contains(":")) {
      throw new WorkFailed("the path of the socket %s has a colon".formatted(socket));
    }
    return new NamedDevice(name, spec, socket);
  }

  /** True if an application can know a device by this name. */
  static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /** Makes sure that its process listens. */
  void ensure() throws IOException, InterruptedException {
    requireOwn();
    if (!spec.startsWith(SOCKET)) {
      DeviceProcess.ensure(socket, spec);
    } else if (!DeviceProcess.listens(socket)) {
      throw new WorkFailed(
          "no device process listens at %s; start one with: bluebell serve --socket %s"
              .formatted(socket, socket));
    }
  }

  /**
   * Checks that the running process has the requested device.
   *
   * @throws WorkFailed when it runs with other options, from an earlier start
   * @throws IllegalArgumentException when there is no such device
   */
  void requireSpec() throws IOException {
    String running = SocketLock.said(RuntimeFolder.lock(socket));
    if (!spec.startsWith(SOCKET) && !running.isEmpty() && !running.equals(spec)) {
      requireKnown();
      throw new WorkFailed(
          "device %s already runs as %s, not as %s, for the clients that use it; join it with --device %s=%s, %s, or wait: it ends 30 s after its last client"
              .formatted(name, running, spec, name, running, another()));
    }
  }

  private String another() throws IOException {
    return socket.equals(RuntimeFolder.socket(name).toAbsolutePath())
        ? "give another name, as in --device mlx5_7=%s".formatted(spec)
        : "name another socket";
  }

  // A message that advises the user to start another process must not do so for a mistyped device.
  private void requireKnown() {
    if (!DeviceOption.isSoft(spec)) {
      HcaProvider.require(spec).close();
    } else if (spec.contains(":")) {
      // Not opened: its address may be that of the running device.
      SoftNicOptions unused = SoftNicOptions.parse(spec.substring(spec.indexOf(':') + 1));
    }
  }

  // A device process reads and writes the memory of its clients.
  private void requireOwn() throws IOException {
    if (Files.exists(socket, LinkOption.NOFOLLOW_LINKS) && !OwnFile.isOwn(socket)) {
      Object owner = Files.getAttribute(socket, "unix:uid", LinkOption.NOFOLLOW_LINKS);
      throw new WorkFailed(
          "the socket %s belongs to user %s, but you are user %d; a client can open only the device of its own user"
              .formatted(socket, owner, Processes.userId()));
    }
  }

  /** The folder in which its process describes the device. */
  Path tree() {
    return RuntimeFolder.tree(socket);
  }
}
