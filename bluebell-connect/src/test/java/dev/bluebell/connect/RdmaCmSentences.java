package dev.bluebell.connect;

import dev.bluebell.verbs.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The tests of connections by RDMA CM, between clients of one or two device processes. */
abstract class RdmaCmSentences extends ConnectionsSentences {
  @TempDir Path folder;
  private final List<DeviceProcess> processes = new ArrayList<>();

  /**
   * Options of the near end's device and of the far end's, each with a comma before it; one entry
   * when both ends are clients of one device.
   */
  abstract List<String> devices();

  // Before the listening of the sentences, which opens the devices.
  @Override
  @BeforeEach
  void listen() throws Exception {
    for (String options : devices()) {
      processes.add(
          new DeviceProcess(folder.resolve("device%d.sock".formatted(processes.size())), options));
    }
    super.listen();
  }

  @AfterEach
  void endProcesses() throws IOException {
    for (DeviceProcess process : processes) {
      process.close();
    }
  }

  /** The device process of the near end. */
  DeviceProcess process() {
    return processes.getFirst();
  }

  @Override
  Device openNear() {
    return process().open();
  }

  @Override
  Device openFar() {
    return processes.getLast().open();
  }

  @Override
  Connections connections(Device device) {
    return Connections.rdmaCm(device);
  }
}
