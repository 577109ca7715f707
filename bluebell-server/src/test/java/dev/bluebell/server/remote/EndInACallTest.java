package dev.bluebell.server.remote;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.bluebell.hca.DeviceLostException;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.server.remote.Message.Request;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The device process ends while it executes a request that closes something, or a command. */
class EndInACallTest {
  @TempDir private Path folder;
  private PlayedDevice device;
  private SocketHca client;

  @BeforeEach
  void open() throws IOException {
    device = new PlayedDevice(folder, EndInACallTest::answer);
    client = device.client();
  }

  @AfterEach
  void close() throws InterruptedException {
    device.close();
  }

  /** Creates objects, and ends at any other request. */
  private static Optional<Message> answer(Message request) {
    return request.takeKind(Request.class) == Request.ALLOCATE_DOMAIN
        ? Optional.of(Message.done().put(1).put(1).put(new byte[0]))
        : Optional.empty();
  }

  @Test
  void closingAChannelThenSucceeds() {
    HcaEventChannel channel = client.openEventChannel();
    assertThatCode(channel::close).doesNotThrowAnyException();
  }

  @Test
  void closingAnObjectThenSucceeds() {
    HcaObject domain = client.allocateProtectionDomain();
    assertThatCode(domain::close).doesNotThrowAnyException();
  }

  @Test
  void aCommandThenFails() {
    assertThatExceptionOfType(DeviceLostException.class)
        .isThrownBy(() -> client.execute(new byte[16]))
        .withMessageContaining("start it again");
  }
}
