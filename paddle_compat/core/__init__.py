"""Floor 0: what everything stands on. It knows neither operators nor the public names."""
