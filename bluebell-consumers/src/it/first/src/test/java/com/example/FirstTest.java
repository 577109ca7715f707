package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.bluebell.test.Rdma;
import dev.bluebell.test.RdmaPair;
import dev.bluebell.verbs.CompletionStatus;
import org.junit.jupiter.api.Test;

class FirstTest {
  // One packet in ten is lost, and always the same ones.
  @Test
  void messagesSurviveALossyNetwork(@Rdma("loss=10%,seed=7") RdmaPair pair) {
    pair.right().receive(50, 0);
    for (int i = 0; i < 50; i++) {
      pair.left().queuePair().send().signaled(i);
    }
    pair.left().queuePair().ringDoorbell();

    assertEquals(50, pair.right().await(50).size());
  }

  // The failure is explained: which key, and what is wrong with it.
  @Test
  void aWrongKeyIsRefused(@Rdma RdmaPair pair) {
    var right = pair.right().memory().remote();
    var queuePair = pair.left().queuePair();
    queuePair.write(right.address(), right.rkey() + 1).inline(new byte[8], 0, 8).signaled(1);
    queuePair.ringDoorbell();

    pair.left().await().expect(1, CompletionStatus.REMOTE_ACCESS_ERROR).expectExplained("rkey");
  }
}
