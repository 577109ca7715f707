/** RoCEv2 packets: headers, ICRC, text form, capture files, and the conversations in them. */
module dev.bluebell.roce {
  requires static org.jspecify;

  exports dev.bluebell.roce.capture;
  exports dev.bluebell.roce.conversation;
  exports dev.bluebell.roce.packet;
}
