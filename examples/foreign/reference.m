% The reference of examples/foreign in Octave: 0.3 m and 0.7 m in turn.
ardnet('create', 'out', 'out', 1);
ardnet('init', argv());
for k = 0:1000
  ardnet('send', 'out', 0.5 + 0.2 * (-1)^floor(k / 20));
  pause(0.1);
end
