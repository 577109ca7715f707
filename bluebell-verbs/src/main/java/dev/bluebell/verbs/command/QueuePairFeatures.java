package dev.bluebell.verbs.command;

/**
 * What a queue pair does beyond what its service asks for.
 *
 * @param nopFill whether each request is kept in one piece
 * @param blueFlame whether a short request is copied into the register
 * @param signatures whether its requests are signed
 * @param answersInCqe most bytes of a READ or an atomic that may come inside a completion: 0, 32 or
 *     64
 * @param receivesInCqe the same of a message
 */
public record QueuePairFeatures(
    boolean nopFill, boolean blueFlame, boolean signatures, int answersInCqe, int receivesInCqe) {}
