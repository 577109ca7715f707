package dev.bluebell.uverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.server.Quota;
import dev.bluebell.uverbs.DevxClient.Made;
import java.io.EOFException;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client that is gone in the middle of a call leaves nothing. */
class HangUpTest extends Hosted {

  @AfterEach
  void expectNothingHeld() throws InterruptedException {
    host.expectNothingLeft();
    for (Quota quota : Quota.values()) {
      assertThat(host.quotas().held(quota)).as("%s", quota).isZero();
    }
  }

  @Test
  void aClientThatHangsUpWhileAFailedCreationIsUndoneLeavesNothing() throws IOException {
    try (DevxClient client = DevxClient.openPlain(host)) {
      Made uar = client.uar();
      // A doorbell record has an address that is a multiple of 8.
      client.raw().hangUpWhenPagesComeBack();
      assertThatThrownBy(() -> client.verbsCq(uar, 7, 4, -1)).isInstanceOf(EOFException.class);
      assertThat(client.raw().mapped()).hasSize(2);
    }
  }

  @Test
  void aClientThatHangsUpWhileItDestroysAnObjectLeavesNothing() throws IOException {
    try (DevxClient client = DevxClient.open(host)) {
      Made queue = client.createCq(client.umem());
      client.raw().hangUpWhenPagesComeBack();
      assertThatThrownBy(() -> client.destroy(queue.handle())).isInstanceOf(EOFException.class);
    }
  }

  /** The preload library waits for this when the client closes the device. */
  @Test
  void theServerHangsUpWhenNothingOfTheClientIsLeft() throws IOException {
    try (DevxClient client = DevxClient.open(host)) {
      Made queue = client.createCq(client.umem());
      assertThat(host.objects()).anyMatch(line -> line.contains("0x%x".formatted(queue.number())));
      client.raw().end();
      assertThat(host.objects()).allMatch(line -> line.startsWith("fabric "));
    }
  }
}
