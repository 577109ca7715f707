package dev.bluebell.server;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CommandHeaders.CmdOut;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.structure.View;

/**
 * Thrown when a client may not hold more: LIM_ERR for a command, ENOMEM for a call. The message
 * names the quota.
 */
public final class QuotaExceeded extends HcaException {
  private static final long serialVersionUID = 1;

  QuotaExceeded(String sentence) {
    super(sentence, View.of(CmdOut.STRUCTURE, 4).set(CmdOut.STATUS, CommandStatus.LIM_ERR).bytes());
  }
}
