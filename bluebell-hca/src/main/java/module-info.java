/**
 * The hardware/software interface of a ConnectX: byte formats, commands, and the interface of a
 * device to its driver.
 */
module dev.bluebell.hca {
  requires static org.jspecify;

  exports dev.bluebell.hca;
  exports dev.bluebell.hca.command;
  exports dev.bluebell.hca.counter;
  exports dev.bluebell.hca.cqe;
  exports dev.bluebell.hca.doorbell;
  exports dev.bluebell.hca.structure;
  exports dev.bluebell.hca.text;
  exports dev.bluebell.hca.wqe;
  exports dev.bluebell.hca.uverbs to
      dev.bluebell.connect,
      dev.bluebell.uverbs,
      dev.bluebell.devx;
  exports dev.bluebell.hca.memory to
      dev.bluebell.verbs,
      dev.bluebell.softnic,
      dev.bluebell.cli;

  uses dev.bluebell.hca.HcaProvider;
}
