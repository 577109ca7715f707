package dev.bluebell.connect;

import dev.bluebell.verbs.Device;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Clients of two device processes, whose connection managers reach each other over the network. */
class RdmaCmNetworkTest extends ConnectionsSentences {
  @TempDir Path folder;
  private DeviceProcess nearProcess;
  private DeviceProcess farProcess;

  /** A loopback address that tests of other processes hardly use at the same time. */
  private static String address(int last) {
    long pid = ProcessHandle.current().pid();
    return "127.%d.%d.%d".formatted(192 + (pid >>> 8 & 0x3f), pid & 0xff, last);
  }

  /** Further options of both devices, each with a comma before it. */
  String options() {
    return "";
  }

  @Override
  @BeforeEach
  void listen() throws Exception {
    nearProcess =
        new DeviceProcess(folder.resolve("near.sock"), ",listen=" + address(2) + options());
    farProcess = new DeviceProcess(folder.resolve("far.sock"), ",listen=" + address(3) + options());
    super.listen();
  }

  @AfterEach
  void endProcesses() throws IOException {
    nearProcess.close();
    farProcess.close();
  }

  @Override
  Device openNear() {
    return nearProcess.open();
  }

  @Override
  Device openFar() {
    return farProcess.open();
  }

  @Override
  Connections connections(Device device) {
    return Connections.rdmaCm(device);
  }

  @Override
  InetAddress nearHost() {
    return new InetSocketAddress(address(2), 0).getAddress();
  }

  @Override
  InetSocketAddress address() {
    return new InetSocketAddress(address(3), 0);
  }
}
