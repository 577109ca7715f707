package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.verbs.AtomicScatter;
import dev.bluebell.verbs.ReceiveRequest;
import dev.bluebell.verbs.RequestData;
import dev.bluebell.verbs.RequestLanding;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.RequestScatter;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every single call on a stage of an ended request throws, and writes nothing. */
class EndedRequestTest {
  private final SendBench bench = SendBench.ofSixteen();

  /** How a request ends. */
  enum End {
    SIGNALED(stage -> stage.signaled(1)),
    UNSIGNALED(stage -> stage.unsignaled(1)),
    DROPPED(stage -> {});

    private final Consumer<RequestModifiers> call;

    End(Consumer<RequestModifiers> call) {
      this.call = call;
    }

    void end(RequestModifiers stage, SendRing ring) {
      call.accept(stage);
      assertThat(ring.dropUnfinished()).isEqualTo(this == DROPPED);
    }
  }

  private void refused(ThrowingCallable call) {
    int index = bench.send.producerIndex();
    byte[] before = bench.sendMemory.bytes();
    assertThatIllegalStateException()
        .isThrownBy(call)
        .withMessageContaining("request of QP 0x1234 has already ended: start another");
    assertThat(bench.sendMemory.bytes()).isEqualTo(before);
    assertThat(bench.send.producerIndex()).isEqualTo(index);
    assertThat(bench.send.dropUnfinished()).isFalse();
  }

  private void modifiersAreRefused(RequestModifiers stage) {
    refused(() -> stage.fence());
    refused(() -> stage.solicited());
    refused(() -> stage.signaled(2));
    refused(() -> stage.unsignaled(2));
  }

  private void dataIsRefused(RequestData stage) {
    byte[] bytes = new byte[8];
    for (int length : new int[] {0, 8}) {
      refused(() -> stage.gather(0x2000, length, 9));
      refused(() -> stage.inline(bytes, 0, length));
      refused(() -> stage.inline(MemorySegment.ofArray(bytes), 0, length));
    }
    modifiersAreRefused(stage);
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void noStageOfAnEndedSendCanBeUsed(End end) {
    RequestData plain = bench.send.request().send();
    end.end(plain, bench.send);
    dataIsRefused(plain);
    RequestData immediate = bench.send.request().sendImmediate(5);
    end.end(immediate, bench.send);
    dataIsRefused(immediate);
    RequestData invalidate = bench.send.request().sendInvalidate(7);
    end.end(invalidate, bench.send);
    dataIsRefused(invalidate);
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void noStageOfAnEndedWriteCanBeUsed(End end) {
    RequestData first = bench.send.request().write(0x1000, 7);
    RequestData inline = first.inline(new byte[4], 0, 4);
    RequestModifiers fenced = inline.fence();
    end.end(fenced, bench.send);
    dataIsRefused(first);
    dataIsRefused(inline);
    modifiersAreRefused(fenced);
    RequestData immediate = bench.send.request().writeImmediate(0x1000, 7, 5).gather(0x2000, 8, 9);
    end.end(immediate, bench.send);
    dataIsRefused(immediate);
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void noStageOfAnEndedReadCanBeUsed(End end) {
    RequestLanding landing = bench.send.request().read(0x1000, 7);
    RequestScatter stage = landing.scatter(0x2000, 8, 9);
    end.end(stage, bench.send);
    refused(() -> landing.scatter(0x2000, 8, 9));
    refused(landing::nowhere);
    refused(() -> stage.scatter(0x2000, 8, 9));
    refused(() -> stage.scatter(0x2000, 0, 9));
    modifiersAreRefused(stage);
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void noStageOfAnEndedAtomicCanBeUsed(End end) {
    AtomicScatter swap = bench.send.request().compareAndSwap(0x1000, 7, 1, 2);
    RequestModifiers scattered = swap.scatter(0x2000, 9);
    end.end(scattered, bench.send);
    refused(() -> swap.scatter(0x2000, 9));
    modifiersAreRefused(scattered);
    AtomicScatter add = bench.send.request().fetchAndAdd(0x1000, 7, 1);
    end.end(add.scatter(0x2000, 9), bench.send);
    refused(() -> add.scatter(0x2000, 9));
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void noStageOfAnEndedNopCanBeUsed(End end) {
    RequestModifiers stage = bench.send.nop();
    end.end(stage, bench.send);
    modifiersAreRefused(stage);
  }

  private void receiveIsRefused(ReceiveRequest stage, String explained) {
    int free = bench.receive.freeRequests();
    byte[] before = bench.receiveMemory.bytes();
    for (ThrowingCallable call :
        new ThrowingCallable[] {
          () -> stage.scatter(0x1000, 8, 7), () -> stage.scatter(0x1000, 0, 7), () -> stage.post(2)
        }) {
      assertThatIllegalStateException()
          .isThrownBy(call)
          .withMessageContaining("request of QP 0x1234" + explained);
    }
    assertThat(bench.receiveMemory.bytes()).isEqualTo(before);
    assertThat(bench.receive.freeRequests()).isEqualTo(free);
  }

  @Test
  void noStageOfAnEndedReceiveCanBeUsed() {
    ReceiveRequest posted = bench.receive.receive().scatter(0x1000, 8, 7);
    posted.post(1);
    receiveIsRefused(posted, " has already ended: start another");
    ReceiveRequest dropped = bench.receive.receive().scatter(0x1000, 8, 7);
    assertThat(bench.receive.dropUnfinished()).isTrue();
    receiveIsRefused(dropped, "");
  }
}
